"""What people type becomes the things they mean, in the edition in which these stand."""
