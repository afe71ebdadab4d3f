"""Read and match the questions and the other searches that the headers of the `.rq` files define."""
