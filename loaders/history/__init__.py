"""Compare consecutive editions: what became of each rule and each entry."""
