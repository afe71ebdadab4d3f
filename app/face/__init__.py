"""The rules documents of Magic: The Gathering as a knowledge graph that answers questions with evidence.

>>> import rulesgraph
>>> rules = rulesgraph.build(store=":memory:").rules
>>> [row["term"] for row in rules.ask("terms_relying_on", "420", via="note", steps=1)]
['Poison Counter']

`open` returns a `Rules`, `build` a report with one; the errors that they raise are here, too.
Nothing is imported before it is used.
"""

TYPE_CHECKING = False  # importing `typing` would take longer than the rest; type checkers know the name
if TYPE_CHECKING:
    from .app.python.building import Report as Report
    from .app.python.building import build as build
    from .app.python.building import get as get
    from .app.python.nodes import RuleNode as RuleNode
    from .app.python.nodes import TermNode as TermNode
    from .app.python.picture import Picture as Picture
    from .app.python.rules import Rules as Rules
    from .app.python.rules import open as open
    from .app.python.web import publish as publish
    from .app.python.web import serve as serve
    from .ontology.errors import NothingFoundError as NothingFoundError
    from .ontology.errors import ReasonerError as ReasonerError
    from .ontology.errors import RulesgraphError as RulesgraphError
    from .ontology.errors import RulesMissingError as RulesMissingError
    from .ontology.errors import SourceError as SourceError
    from .ontology.errors import StoreError as StoreError
    from .ontology.errors import StoreExhaustedError as StoreExhaustedError
    from .ontology.errors import StoreLockedError as StoreLockedError
    from .ontology.errors import StoreMissingError as StoreMissingError
    from .ontology.errors import StoreTimeoutError as StoreTimeoutError
    from .ontology.errors import UnknownNameError as UnknownNameError
    from .ontology.errors import UsageError as UsageError
    from .ontology.errors import WrongTypeError as WrongTypeError
    from .queries.history.diff import Difference as Difference
    from .queries.searching.scores import Passages as Passages
    from .queries.session import Answer as Answer
    from .queries.session import Edition as Edition
    from .queries.session import Sheet as Sheet
    from .queries.session import SimilarCase as SimilarCase
    from .queries.session import SparqlAnswer as SparqlAnswer
    from .queries.session import Understood as Understood

    __version__: str

_HOMES = {
    name: home
    for home, names in {
        "app.python.rules": "open Rules",
        "app.python.building": "build Report get",
        "app.python.web": "serve publish",
        "app.python.nodes": "RuleNode TermNode",
        "app.python.picture": "Picture",
        "ontology.errors": "RulesgraphError UsageError UnknownNameError WrongTypeError SourceError "
        "StoreError StoreLockedError StoreMissingError StoreExhaustedError StoreTimeoutError ReasonerError "
        "NothingFoundError RulesMissingError",
        "queries.history.diff": "Difference",
        "queries.searching.scores": "Passages",
        "queries.session": "Answer Edition Sheet SimilarCase SparqlAnswer Understood",
    }.items()
    for name in names.split()
}

__all__ = ["__version__", *_HOMES]  # noqa: PLE0604


def __getattr__(name: str) -> object:
    """Import a name when it is first used, and keep it."""
    if name == "__version__":
        from importlib.metadata import version

        value: object = version("rulesgraph")
    elif name in _HOMES:
        from importlib import import_module

        value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List what is for users, imported or not."""
    return sorted(__all__)
