"""Undated copies of the glossary become documents, whatever was lost on the way."""
