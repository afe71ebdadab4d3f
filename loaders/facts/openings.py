"""Parts of a rule become a list: each opens with the name of one thing, all of one kind."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..language.names import plural
from ..language.sentences import sentences
from ..language.words import straight
from ..linking.edition import Unit
from .context import Context
from .kinds import game_kinds
from .statements import Listing, Statement

_LEAST = 3
"""How many parts make a list."""

_OPENING = re.compile(r"(?:An?|The) (?P<name>(?:[A-Z][\w'’-]* )+(?P<kind>[a-z]+)) (?:is|has)\b")
"""How a part opens that tells what one thing is: "A Tall Lantern lamp is ..."."""


def opened(context: Context) -> Iterator[tuple[Unit, Statement, str]]:
    """Yield what the parts of rules list by how they open, with the rule and its sentence that says of what.

    "Some moths bring a stray lamp.", whose parts begin "A Tall lamp is" or the like, lists stray lamps.
    Nothing is listed where one part opens otherwise, or where the rule does not name the kind.
    """
    for unit in context.units():
        parts = context.parts(unit)
        opening = [_OPENING.match(part.text) for part in parts] if len(parts) >= _LEAST else []
        names = [match for match in opening if match]
        kinds = {match["kind"] for match in names}
        if not names or len(names) < len(parts) or len(kinds) > 1:
            continue
        [kind] = kinds
        cls = game_kinds().of(kind)
        named = _sentence_naming(unit.text, kind) if cls or context.term(kind) else None
        if named:
            name, sentence = named
            items = tuple(match["name"] for match in names)
            yield unit, Listing(name if cls else plural(name), cls, items, tuple(parts)), sentence


def _sentence_naming(text: str, kind: str) -> tuple[str, str] | None:
    """Return what the first sentence that names a kind calls it, with the word before, and the sentence."""
    pattern = re.compile(rf"\ban? (?P<name>(?:[a-z-]+ )?{re.escape(kind)})\b")
    for start, end in sentences(text):
        match = pattern.search(straight(text[start:end]))
        if match:
            return match["name"], text[start:end]
    return None
