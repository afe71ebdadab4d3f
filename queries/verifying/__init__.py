"""Texts of anybody become what is wrong with their citations of rules, held against an edition."""
