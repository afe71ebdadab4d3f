"""Find the things that people mean by what they type, in the edition that has them."""
