"""Compare consecutive editions: find what happened to each rule and each entry."""
