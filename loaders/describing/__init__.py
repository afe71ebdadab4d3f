"""Describe what a store holds, in VoID and DCAT."""
