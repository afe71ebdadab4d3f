"""A text in anybody's words becomes what it names, each with its place and how it was recognised."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...loaders.language.periods import periods
from ...ontology.iris import VOCABULARY
from ...ontology.query_files import literal
from ..finding.things import KINDS
from ..session import Scope, Session
from .citations import citations
from .lexicon import How, Lexicon, NameMatch
from .naming import Meant, known_names, meant_in
from .senses import Sense
from .spelling import corrections
from .tokens import Word, tokens

LONGEST = 4000
"""How many characters of a text are read: nobody's question is longer."""

_EDITION = re.compile(r"\b(?:[a-z]+-\d{4}-\d\d-\d\d|fragment-[0-9a-f]{8})\b", re.IGNORECASE)

_MOST_WORDS = 100
"""How many words a text may have whose spelling is looked after."""


class Recognised(NamedTuple):
    """One thing that a text names: ``text[start:end]``, code points from 0, stands for it.

    `kind` is ``"term"``, ``"rule"``, ``"section"``, ``"entry"``, ``"paragraph"``, ``"ruling"``, ``"edition"``
    or ``"date"``; `iri` the thing in the edition looked at, for a date the edition then in force (empty
    where there is none); `name` its preferred name, its number, its id, or the date as short as it
    can be. `stands` is False for what only other editions have; `note` says how players use the word.
    """

    kind: str
    iri: str
    name: str
    used: str
    start: int
    end: int
    how: How
    stands: bool = True
    note: str = ""


class Recognition(NamedTuple):
    """What a text names, in order, and the graphs in which it was looked for.

    `rest` are the words that name nothing, in small letters, each once.
    """

    text: str
    things: tuple[Recognised, ...]
    scope: Scope
    rest: tuple[str, ...] = ()

    @property
    def standing(self) -> tuple[Recognised, ...]:
        """The terms and rules that stand in the edition, each once."""
        seen: dict[str, Recognised] = {}
        for it in self.things:
            if it.stands and it.kind not in ("edition", "date"):
                seen.setdefault(it.iri, it)
        return tuple(seen.values())


def recognise(session: Session, text: str, edition: str | None = None) -> Recognition:
    """Return the terms, rules, editions and dates that a text names, for an edition (see `Session.scope`).

    Names count in any case and form, old ones too, and what players say instead; of names within names the
    longest; never where a word has its everyday sense. Misspelled names count where only one is close. A word
    of several meanings gives one thing for each, over the same place. Only the first `LONGEST` characters
    are read. The same text gives the same things. Raises `UnknownNameError` for an edition that is not
    loaded.
    """
    text = text[:LONGEST]
    scope = session.scope(edition)
    found = [*_editions(session, text), *_numbers(session, scope, text)]
    taken = [(it.start, it.end) for it in found]
    words = [it for it in tokens(text) if not any(a < it.end and it.start < b for a, b in taken)]
    names = known_names(session)
    meant = _corrected(session, scope, names.lexicon, words)
    matches = list(_matches(names.lexicon, _with(words, meant)))
    sense = Sense(text, words, {n for first, it in matches if it.meanings for n in range(first, it.end)})
    matches = [(first, it) for first, it in matches if it.meanings and sense.means(first, it.end)]
    things = meant_in(session, scope, names.preferred, [it.meanings for _, it in matches])
    left = dict.fromkeys(word.key for word in words)
    for first, match in matches:
        own = words[first : match.end]
        wrong = any(word.key in meant for word in own)
        named = [_named(text, own, it, wrong) for it in things[match.meanings]]
        found += named
        for word in own if named else ():
            left.pop(word.key, None)
    return Recognition(text, tuple(sorted(found, key=lambda it: (it.start, -it.end))), scope, tuple(left))


def _named(text: str, words: Sequence[Word], it: Meant, wrong: bool) -> Recognised:
    start, end = words[0].start, words[-1].end
    how = How.MISSPELT if wrong else it.how
    return Recognised(it.kind, it.iri, it.name, text[start:end], start, end, how, it.stands, it.note)


def _matches(names: Lexicon, words: Sequence[Word]) -> Iterator[tuple[int, NameMatch]]:
    """Yield where names and phrases begin, with what they are, none within another."""
    place = 0
    while place < len(words):
        match = names.at(words, place)
        if match:
            yield place, match
        place = match.end if match else place + 1


def _corrected(session: Session, scope: Scope, names: Lexicon, words: Sequence[Word]) -> dict[str, str]:
    if len(words) > _MOST_WORDS:
        return {}
    unknown = {word.key for word in words if not names.knows(word.key)}
    return dict(corrections(session, scope, unknown, names.words)) if unknown else {}


def _with(words: Sequence[Word], meant: dict[str, str]) -> list[Word]:
    return [word._replace(key=meant.get(word.key, word.key)) for word in words]


def _numbers(session: Session, scope: Scope, text: str) -> Iterator[Recognised]:
    cited = list(citations(text))
    if not cited:
        return
    given = {"number": [literal(number) for number in dict.fromkeys(it.number for it in cited)]}
    here = _by_number(session.run("finding", "number", scope, given))
    elsewhere = _by_number(session.run("finding", "number_anywhere", None, given))
    for it in cited:
        found = here.get(it.number) or elsewhere.get(it.number)
        if found:
            kind, iri = found
            stands = it.number in here
            used = text[it.start : it.end]
            yield Recognised(kind, iri, it.number, used, it.start, it.end, How.NUMBER, stands)


def _by_number(rows: Sequence[tuple[object, ...]]) -> dict[str, tuple[str, str]]:
    """Return number → (kind, IRI), the kind that a node of two kinds is taken for first."""
    found: dict[str, tuple[int, str]] = {}
    for it, cls, number in rows:
        rank = KINDS.index(str(cls).removeprefix(VOCABULARY))
        best = found.get(str(number))
        if best is None or (rank, str(it)) < best:
            found[str(number)] = rank, str(it)
    return {number: (KINDS[rank].lower(), iri) for number, (rank, iri) in found.items()}


def _editions(session: Session, text: str) -> Iterator[Recognised]:
    """Yield the editions that a text names by their ids, and dates, with the editions then in force."""
    ids = list(_EDITION.finditer(text))
    dates = [it for it in periods(text) if not any(m.start() < it.end and it.start < m.end() for m in ids)]
    if not ids and not dates:
        return
    editions = session.editions()
    loaded = {edition.id for edition in editions}
    for match in ids:
        name = match[0].lower()
        stands = name in loaded
        iri = session.iris.edition(name) if stands else ""
        yield Recognised("edition", iri, name, match[0], match.start(), match.end(), How.EXACT, stands)
    for it in dates:
        in_force = next((e.id for e in editions if e.issued and e.has_history and e.issued <= it.last), "")
        iri = session.iris.edition(in_force) if in_force else ""
        used = text[it.start : it.end]
        yield Recognised("date", iri, it.name, used, it.start, it.end, How.DATE, bool(in_force))
