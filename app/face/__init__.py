"""The rules documents of Magic: The Gathering as a knowledge graph that answers questions with evidence.

>>> import rulesgraph
>>> rules = rulesgraph.build(store=":memory:").rules
>>> [row["term"] for row in rules.ask("terms_relying_on", "420", via="note", steps=1)]
['Poison Counter']

`open` returns a `Rules`, `build` a report with one; the errors that they raise are here, too.
Nothing is imported before it is used.
"""

TYPE_CHECKING = False  # importing `typing` would cost more than the rest; type checkers know the name
if TYPE_CHECKING:
    from .app.python.building import Report as Report
    from .app.python.building import build as build
    from .app.python.getting import get as get
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
    from .ontology.errors import SourceError as SourceError
    from .ontology.errors import StoreError as StoreError
    from .ontology.errors import StoreExhaustedError as StoreExhaustedError
    from .ontology.errors import StoreLockedError as StoreLockedError
    from .ontology.errors import StoreMissingError as StoreMissingError
    from .ontology.errors import StoreTimeoutError as StoreTimeoutError
    from .ontology.errors import UnknownNameError as UnknownNameError
    from .ontology.errors import UsageError as UsageError
    from .queries.session import Answer as Answer
    from .queries.session.answer import SparqlAnswer as SparqlAnswer

    __version__: str

_HOMES = {
    "open": "app.python.rules",
    "build": "app.python.building",
    "get": "app.python.getting",
    "serve": "app.python.web",
    "publish": "app.python.web",
    "Rules": "app.python.rules",
    "Report": "app.python.building",
    "Answer": "queries.session.answer",
    "RuleNode": "app.python.nodes",
    "TermNode": "app.python.nodes",
    "Picture": "app.python.picture",
    "SparqlAnswer": "queries.session.answer",
    **dict.fromkeys(
        (
            "RulesgraphError UsageError UnknownNameError SourceError StoreError StoreLockedError "
            "StoreMissingError StoreExhaustedError StoreTimeoutError ReasonerError NothingFoundError"
        ).split(),
        "ontology.errors",
    ),
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
