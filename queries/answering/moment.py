"""The edition or the day that a question is about is found in its words, and taken out of them."""

from __future__ import annotations

import re
from typing import NamedTuple

from ...ontology.errors import UnknownNameError
from ..recognising.recognition import Recognised, recognise
from ..session import Session

_BEFORE = re.compile(
    r"[\s,(]*(?:\b(?:(?:back )?in|as (?:of|at)|under|during|of|for|from|by|per|according to|around|on)\s+)?"
    r"(?:the\s+)?(?:edition\s+)?$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"^(?:['’]s)?(?:\s+(?:comprehensive )?(?:rules?|edition|version|release|text|rulebook|cr)\b)?[\s,)]*",
    re.IGNORECASE,
)


class Moment(NamedTuple):
    """The id of the edition that words are about, and the words without it.

    `unknown` is set where no such edition is loaded.
    """

    edition: str
    rest: str
    unknown: UnknownNameError | None = None


def moment_of(session: Session, words: str) -> Moment | None:
    """Return the one edition that `words` name by its id or by a day, None for none and for several."""
    found = [it for it in recognise(session, words).things if it.kind in ("edition", "date")]
    if len(found) != 1:
        return None
    it = found[0]
    before, after = words[: it.start], words[it.end :]
    rest = f"{_BEFORE.sub('', before)} {_AFTER.sub('', after)}".strip()
    try:
        return Moment(edition_of(session, it), rest)
    except UnknownNameError as error:
        return Moment("", rest, error)


def edition_of(session: Session, it: Recognised) -> str:
    """Return the id of the edition that an edition or day stands for.

    Raises `UnknownNameError` for an edition that is not loaded, and for a day before all that are.
    """
    if it.stands:
        return session.iris.parse(it.iri).edition
    dated = [edition.id for edition in session.editions() if edition.issued]
    what = "loaded edition" if it.kind == "edition" else "edition in force at that time"
    raise UnknownNameError(what, it.name, dated[-1:] if it.kind == "date" else dated[:3])
