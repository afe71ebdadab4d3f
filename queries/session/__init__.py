"""A store as questions see it: loaded editions, the graphs that they see, answers as plain values."""

from ...loaders.store.results import Cells, Value
from .answer import Answer, Sheet, SimilarCase, SparqlAnswer, Understood
from .editions import (
    ALL,
    Edition,
    LoadedDocument,
    Scope,
    edition_called,
    ids_called,
    with_history,
    without_text,
)
from .session import Session
