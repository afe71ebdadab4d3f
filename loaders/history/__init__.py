"""Editions in their order become histories: what each rule and entry was before."""
