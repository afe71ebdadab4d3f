"""Ask a store: its editions, the graphs that a question sees, and answers as plain values."""

from ...loaders.store.results import Cells, Value
from .answer import Answer, Sheet, SimilarCase, SparqlAnswer, Understood, check_limit
from .editions import (
    ALL,
    Edition,
    LoadedDocument,
    Scope,
    edition_called,
    ids_called,
    unknown_edition,
    with_history,
    without_text,
)
from .session import DEADLINE, Session
from .views import MOST_IN_VIEW, in_one_view
