"""What a store holds becomes its description."""
