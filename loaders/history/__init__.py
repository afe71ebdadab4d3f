"""Compare consecutive editions: find what became of each rule and each entry."""
