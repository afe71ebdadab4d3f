"""Find the sentences that say that one thing is another, or that it is not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...loaders.language.names import other_forms, plural, singular
from ...loaders.language.sentences import sentences
from ...loaders.language.words import words_in
from ...ontology.statements import with_article
from ..finding.names import names
from ..session import Cells, Session

_IS = (
    r"(?:is|are|was|were|becomes?|remains?|counts? as|isn['’]t|aren['’]t|can['’]t be"
    r"|(?:doesn|don)['’]t (?:become|count as))"
)
_BETWEEN = (
    r"(?: (?:not|never|neither|always|also|still|both|only|just|considered|treated as|an?|the|any"
    r"|(?:kind|type|sort)s? of))*"
)
_ALTERNATIVE = r"(?: [\w-]+ (?:nor|or|and))?"
"""*neither a card nor a permanent*"""

_DENIES = re.compile(r"n['’]t\b|\b(?:not|never|neither|nor|no)\b", re.IGNORECASE)

_UNREAL = re.compile(r"\bas (?:though|if)\b", re.IGNORECASE)
_MAY_BE = re.compile(r"\bbecomes?\b|\bor\b", re.IGNORECASE)
_ON_CONDITION = re.compile(
    r"\b(?:if|when|whenever|while|unless|until|as long as|some|many|most)\b", re.IGNORECASE
)

DECIDES = ("is", "is not", "can be")
"""What a sentence may say of two things."""

_BOTH = "names both"


def deciding(
    session: Session, rows: Sequence[Cells], args: Sequence[str], things: Mapping[str, Sequence[str]]
) -> tuple[list[Cells], list[str]]:
    """Return rows (says, number, quote, document, line) that say whether one thing is another, and remarks.

    `rows` are those of `whether.rq`, `args` the two names, `things` their IRIs. Facts are kept; of texts the
    first sentence that says so, of the one or of the other. If nothing says so, a remark says that, and
    sentences come that name both, each in an entry or a rule of the first thing; there may be none of these.
    """
    used = {word for row in rows for word in words_in(str(row[2]))}
    called, patterns = [], []
    for said, iris in zip(args, things.values(), strict=True):
        known = [(name, preferred) for name, iri, preferred in names(session) if iri in iris]
        called.append(next((preferred for _, preferred in known), said))
        patterns.append(_pattern([name for name, _ in known] or [said], used))
    found = [row for row in rows if row[0] == "is"]
    found += [row for row in rows if row[0] != "is" for row in _judged(row, *patterns)]
    decided = [row for row in found if row[0] in DECIDES]
    remarks = (
        []
        if decided
        else [f"No rule says in so many words whether {called[0]} is {with_article(called[1])}."]
    )
    return list(dict.fromkeys(sorted(decided or found, key=lambda row: row[1] is None))), remarks


def _judged(row: Cells, one: str, other: str) -> Iterator[Cells]:
    says, number, text, *place = row
    told = telling(str(text), one, other)
    converse = None if told else telling(str(text), other, one)
    if converse:  # where some of the others are it, it can be one of them
        yield ("is not" if converse[0] == "is not" else "can be", number, converse[1], *place)
    elif told:
        yield (told[0], number, told[1], *place)
    elif says == "own":
        named = re.compile(rf"\b(?:{other})\b", re.IGNORECASE)
        for start, end in sentences(str(text)):
            if named.search(str(text), start, end):
                yield (_BOTH, number, str(text)[start:end], *place)


def telling(text: str, one: str, other: str) -> tuple[str, str] | None:
    """Return what a text says of two things, given by patterns of their names, and the sentence that says it.

    >>> telling("Moths fly. A moth isn't considered a lamp.", "moths?", "lamps?")
    ('is not', "A moth isn't considered a lamp.")
    >>> telling("Lamps are no moth. Moths sit on a lamp.", "moths?", "lamps?")
    """
    says = re.compile(
        rf"\b(?:{one})(?: (?:cards?|permanents?|objects?))?,? {_IS}\b"
        rf"{_BETWEEN}{_ALTERNATIVE}{_BETWEEN} (?:[\w-]+-)?(?:{other})\b(?! (?:that|of)\b)",
        re.IGNORECASE,
    )
    for start, end in sentences(text):
        match = says.search(text, start, end)
        before = text[start : match.start()].rpartition(",")[2] if match else ""
        if match and not _UNREAL.search(before):
            is_denied = _DENIES.search(match[0]) or re.search(r"\bneither\b", before, re.IGNORECASE)
            may_be = _ON_CONDITION.search(before) or _MAY_BE.search(match[0])
            return "is not" if is_denied else "can be" if may_be else "is", text[start:end]
    return None


def _pattern(names: Sequence[str], used: Iterable[str]) -> str:
    """Return a pattern of any of the names of a thing, in either number, and of the words used for it."""
    own = {form.lower() for name in names for form in (name, singular(name), plural(name))}
    own |= {word for word in used if not own.isdisjoint(other_forms(word))}
    return "|".join(map(re.escape, sorted(own, key=lambda form: (-len(form), form))))
