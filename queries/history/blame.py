"""Tell, for each sentence of a rule or an entry, since when it reads as it does and what it said before."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...loaders.history.items import ChangeKind, Item
from ...loaders.history.lives import bundled_lives
from ...loaders.language.numbers import number_in
from ...loaders.language.sentences import sentences
from ..session import Answer, Cells, Edition, Session
from .beyond import provisions_of
from .links import labels_of, links_along, outline, place_in, timeline
from .trace import locate, numbers_in, stands_in

COLUMNS = ("sentence", "since", "number", "before", "first", "first_number")

ALIKE = 0.5
"""The share of words in common from which one sentence was made of the other; below it most are strangers."""

_SAME_WORDS = (ChangeKind.RENUMBERED, ChangeKind.UNCHANGED)

OLDER = (
    "{} is the oldest edition loaded. What it says is dated by when the whole rule last changed, so a "
    "sentence may be older: load earlier editions to see."
)
GAPS = "Editions between those loaded are missing, so a sentence may be older: load them to see."


@dataclass(slots=True)
class TracedSentence:
    """A sentence on its way back in time.

    `words` are those that it has in the edition that was reached, `iri` is what it stands in there. `since`
    is where it got the words of today, as (edition, number), and `before` what it said until then.
    """

    text: str
    words: Item
    iri: str
    since: tuple[str, str] | None = None
    before: str = ""
    first: tuple[str, str] | None = None


def blame(session: Session, name: str, edition: str | None = None) -> Answer:
    """Return a row for each sentence of a rule or an entry.

    `name` is a rule number or the name of a glossary entry, in an edition of the comprehensive rules: the
    newest that has it unless one is given. `since` is the edition in which the sentence got its wording and
    `number` that of the rule then (or the heading of an entry), `before` is what it said until then; `first`
    and `first_number` are where it first stood, in whatever words. Numbers that a sentence cites are no part
    of its wording. The answer knows as much as is loaded: notes say where a sentence may be older.

    Raises `UnknownNameError` for a name or an edition that is not there, `UsageError` if no edition of the
    comprehensive rules is loaded.
    """
    editions, [wanted, *_] = timeline(session), numbers_in(name)
    newest = len(editions) - 1
    having = (place for place in range(newest, -1, -1) if stands_in(session, editions[place], [wanted]))
    place = place_in(editions, edition, session) if edition else next(having, newest)
    here = editions[place]
    iri, own = locate(session, here, wanted)
    item = outline(session, here, [iri])[iri]
    found = [TracedSentence(text, Item("", "", text), iri) for text in _sentences(item.text)]
    walk = _Walk(session, editions[place::-1])
    walk.back(found, own)
    is_oldest = any(it.first and it.first[0] == editions[0].id for it in found)
    _date(session, found, editions)
    rows: list[Cells] = [
        (it.text, *(it.since or ("", "")), it.before or None, *(it.first or ("", ""))) for it in found
    ]
    older = [OLDER.format(editions[0].id)] if is_oldest else []
    return Answer("blame", COLUMNS, tuple(rows), here.id, (*older, *([GAPS] if walk.gaps else [])))


def _date(session: Session, found: Sequence[TracedSentence], editions: Sequence[Edition]) -> None:
    """Date what happened between loaded editions by the bundled file: it knows when a rule was reworded."""
    lives = bundled_lives()
    loaded = {it.id for it in editions}
    places = {place for it in found for place in (it.since, it.first) if place}
    rules = {place: session.iris.rule(*place) for place in places if number_in(place[1])}
    provisions = provisions_of(session, rules.values())
    dated: dict[tuple[str, str], tuple[str, str]] = {}
    for place, rule in rules.items():
        stages = lives.before(provisions[rule], place[0]) if rule in provisions else []
        reworded = [stage for stage in stages if stage.change not in _SAME_WORDS]
        if reworded and not any(reworded[-1].edition <= it < place[0] for it in loaded):
            dated[place] = reworded[-1].edition, reworded[-1].number
    for it in found:
        it.since, it.first = (dated.get(place, place) if place else None for place in (it.since, it.first))


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


class _Walk:
    """Follows sentences from an edition back to the oldest one; `path` is newest first."""

    def __init__(self, session: Session, path: Sequence[Edition]) -> None:
        self._session = session
        self._path = path
        covered = bundled_lives().editions
        between = [it for it in covered if path[-1].id < it < path[0].id]
        self.gaps = bool({*between} - {it.id for it in path})

    def back(self, found: Sequence[TracedSentence], own: str) -> None:
        """Fill in where the sentences come from."""
        links = links_along(self._session, self._path, {it.iri for it in found})
        label_of = labels_of(self._session, links)
        names = {it.iri: own for it in found}
        for at, (here, there) in enumerate(zip(self._path, self._path[1:], strict=False)):
            going = [it for it in found if it.first is None]
            if not going:
                return
            known = links[at]
            missing = {it.iri for it in going} - known.keys()
            if missing:  # a sentence that was moved has left the path of its rule
                known = {**known, **links_along(self._session, (here, there), missing)[0]}
            texts = _Texts(self._session, there)
            for it in going:
                taken = known.get(it.iri, ())
                place = here.id, names.get(it.iri) or label_of(it.iri)
                if len(taken) == 1 and taken[0].change in ("unchanged", "renumbered"):
                    it.iri = taken[0].other
                    continue
                self._one_step(it, place, [step.other for step in taken], texts)
            names |= {it.iri: label_of(it.iri) for it in going if it.first is None and it.iri not in names}
        last = self._path[-1].id
        for it in found:
            if it.first is None:
                it.first = last, names.get(it.iri) or label_of(it.iri)
                it.since = it.since or it.first

    def _one_step(
        self, it: TracedSentence, place: tuple[str, str], origins: Collection[str], texts: _Texts
    ) -> None:
        """Find what a sentence was in the edition before; where it was nothing, it began at `place`."""
        candidates = [(iri, text) for iri in origins for text in texts.of(iri)]
        source = next(((iri, text) for iri, text in candidates if text.masked == it.words.masked), None)
        if source:
            it.iri, it.words = source
            return
        likest = max(
            ((_alike(text, it.words), iri, text) for iri, text in candidates), key=_share, default=None
        )
        if likest and likest[0] >= ALIKE:
            _, it.iri, found = likest
            it.since, it.before = it.since or place, it.before or found.text
            it.words = found
        elif source := texts.anywhere(it.words.masked):
            it.iri, it.words = source
        else:
            it.first = place
            it.since = it.since or place


class _Texts:
    """The sentences of one edition, read where they are wanted."""

    def __init__(self, session: Session, edition: Edition) -> None:
        self._session = session
        self._edition = edition
        self._read: dict[str, list[Item]] = {}

    def of(self, iri: str) -> list[Item]:
        """Return the sentences of a rule or an entry."""
        if iri not in self._read:
            found = outline(self._session, self._edition, [iri])
            self._read[iri] = _items(found[iri]) if iri in found else []
        return self._read[iri]

    def anywhere(self, masked: str) -> tuple[str, Item] | None:
        """Return the one place in the edition that has a sentence, None for none or several."""
        found = self._by_words.get(masked, [])
        return found[0] if len(found) == 1 else None

    @cached_property
    def _by_words(self) -> Mapping[str, list[tuple[str, Item]]]:
        found: dict[str, list[tuple[str, Item]]] = {}
        for iri, item in outline(self._session, self._edition).items():
            for sentence in _items(item):
                found.setdefault(sentence.masked, []).append((iri, sentence))
        return found


def _items(item: Item) -> list[Item]:
    return [Item("", "", text) for text in _sentences(item.text)]


def _share(found: tuple[float, str, Item]) -> float:
    return found[0]


def _alike(one: Item, other: Item) -> float:
    from rapidfuzz.distance import Indel  # only where a sentence was reworded

    return float(Indel.normalized_similarity(one.stems, other.stems))
