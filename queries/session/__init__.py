"""A store as questions see it: what is loaded, which graphs are looked at, and answers as plain values."""

from .answer import Answer, Cells, Understood, Value
from .editions import Edition, LoadedDocument, counted, unknown_edition, with_history
from .scope import ALL, Scope
from .session import Session

__all__ = [
    "ALL",
    "Answer",
    "Cells",
    "Edition",
    "LoadedDocument",
    "Scope",
    "Session",
    "Understood",
    "Value",
    "counted",
    "unknown_edition",
    "with_history",
]
