"""What can be asked and what is looked for, as the headers of the `.rq` files say it."""
