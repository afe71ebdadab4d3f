"""The questions and other searches that the headers of the `.rq` files define."""
