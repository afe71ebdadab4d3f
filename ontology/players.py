"""What players say instead of a name, read from its data file."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from .iris import BASE
from .resources import PLAYERS_FILE, read_bytes
from .terms import PREFIXES

_XL = "http://www.w3.org/2008/05/skos-xl#"


class PlayersWord(NamedTuple):
    """One word: `thing` is the IRI of the term or provision that it stands for, `note` tells its use."""

    thing: str
    word: str
    note: str


@cache
def players_words(base: str) -> tuple[PlayersWord, ...]:
    """Return all words, sorted; `base` is the base IRI of the data. A word may stand for several things.

    >>> [it.thing for it in players_words("https://example.org/") if it.word == "sac"]
    ['https://example.org/term/sacrifice']
    """
    from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, parse

    things: dict[BlankNode, str] = {}
    said: dict[BlankNode, dict[str, str]] = {}
    for quad in parse(input=read_bytes(PLAYERS_FILE), format=RdfFormat.TURTLE, base_iri=BASE):
        if isinstance(quad.subject, NamedNode) and isinstance(quad.object, BlankNode):
            # A base may end in "#" or ":", where what is relative to it would become another IRI.
            things[quad.object] = base + quad.subject.value.removeprefix(BASE)
        elif isinstance(quad.subject, BlankNode) and isinstance(quad.object, Literal):
            said.setdefault(quad.subject, {})[quad.predicate.value] = quad.object.value
    return tuple(
        sorted(
            PlayersWord(things[label], own[f"{_XL}literalForm"], own[f"{PREFIXES['skos']}note"])
            for label, own in said.items()
        )
    )
