"""Rules and terms as single nodes: what one says, where it stands, what it is part of."""
