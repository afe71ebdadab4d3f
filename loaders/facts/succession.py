"""What entries of names that were given up say of the name that took its place."""

from __future__ import annotations

from collections.abc import Collection

from ...ontology.iris import slug
from ..language.names import singular
from ..linking.edition import EditionView
from .context import Context
from .naming import PATTERNS
from .reader import Reader
from .statements import GivesWay

_READER = Reader(PATTERNS)


def successions(view: EditionView, obsolete: Collection[str]) -> frozenset[tuple[str, str]]:
    """Return (slug of a term, slug of the one that took its place), as the entries of `obsolete` ones say.

    What is more than the term's name ("the lit supertype", for *Lit*) is a wording that took its place.
    """
    context = Context(view)
    entries = [unit for unit in context.units() if unit.term in obsolete]
    return frozenset(
        (said.term, said.new)
        for _, _, said in _READER.read(context, entries)
        if isinstance(said, GivesWay) and said.new in (slug(said.by), slug(singular(said.by)))
    )
