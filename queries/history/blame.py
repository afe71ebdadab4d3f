"""Find when each sentence of a rule or entry got its wording, and what it said before."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from textwrap import shorten

from ...loaders.history.items import ChangeKind, Item
from ...loaders.history.lives import bundled_lives
from ...loaders.indexing.stemmer import telling_stems
from ...loaders.language.numbers import number_in
from ...loaders.language.words import sentences
from ...ontology import UsageError, grouped
from ..finding.things import numbers_in, stands_in
from ..session import Answer, Cells, Edition, Session
from .beyond import has_gaps, provisions_of
from .links import label, links_along, outline, parts_of_titles, place_in, slips, timeline
from .releases import PageHistory, release_called, releases_beside
from .trace import with_rules

COLUMNS = ("sentence", "since", "number", "before", "first", "first_number", "rule")

ALIKE = 0.5
"""One sentence was made from another if this share of their words is common; below, most are unrelated."""

_SAME_WORDS = (ChangeKind.RENUMBERED, ChangeKind.UNCHANGED)

OLDER = (
    "{} is the oldest edition loaded: it is not known where its sentences first appeared, and their wording "
    "is dated by the last change to the whole rule. Load earlier editions to find out more."
)
BEFORE = (
    "What was said before {} is from {}, the last edition loaded before the change. The rule was reworded in "
    "between, in {}: load these editions to see what it said until then."
)
_OPENING = 50
"""The maximum number of characters that tell in a note which sentence it is about."""

GAPS = "Some editions in between are not loaded, so a sentence may be older: load them to see."

RELEASES = (
    "{} is the oldest loaded release with this page: its text may be older, and releases that are not "
    "loaded may have changed it."
)


@dataclass(slots=True)
class TracedSentence:
    """A sentence on its way back in time.

    `words` are those in the edition reached so far, `iri` is the rule or entry that contains it there; `rule`
    is the number or heading at the start. `changes` of its words are newest first: where each was made, what
    the sentence said until then, or in the last edition loaded before, and that edition. `since`, `before`
    and `said_in` describe the change that is reported.
    """

    text: str
    words: Item
    iri: str
    rule: str
    changes: list[tuple[tuple[str, str], str, str]] = field(default_factory=list)
    since: tuple[str, str] | None = None
    before: str = ""
    said_in: str = ""
    first: tuple[str, str] | None = None

    def settle(self, having: Set[str]) -> None:
        """Report the newest change, or the one before which the sentence lacked one of some stems."""
        told = (it for it in self.changes if not having or not having <= telling_stems(it[1]))
        self.since, self.before, self.said_in = next(told, (self.first, "", ""))


def blame(
    session: Session,
    name: str,
    edition: str | None = None,
    *,
    alone: bool = False,
    having: Set[str] = frozenset(),
    read: dict[str, _Texts] | None = None,
) -> Answer:
    """Return a row for each sentence of a rule, or of an entry and, unless `alone`, of its term's rule.

    `name` is a rule number or the name of a glossary entry, in an edition of the comprehensive rules: by
    default the newest that has it. A rule that is only a title (702.19) is followed by the rules below it,
    unless `alone`.

    `since` is the edition in which the sentence got its wording, `number` the rule's number then (or the
    heading of an entry), and `before` what it said until then. `first` and `first_number` say where it first
    appeared, in any wording; they are None if that is older than what is loaded. `rule` is where it is in the
    edition asked about. Numbers that a sentence cites do not count as wording. If `having` gives stems of
    words, `since` is where a sentence got the last of them. The answer depends on the loaded editions: notes
    say where a sentence may be older. Calls with the same `read` read each edition's sentences once.

    In a release of a rulings site or of tournament rules, `name` is the number of a paragraph.

    Raises `UnknownNameError` for an unknown name or edition, and `RulesMissingError` if no edition of the
    comprehensive rules is loaded.
    """
    if edition and (release := release_called(session, edition)):
        return _blame_release(session, name, release)
    if not name.strip():
        raise UsageError("the name is empty", way_out="Give a term or a rule number.")
    editions, [wanted, *more] = timeline(session), numbers_in(name)
    if more:
        raise UsageError(f"{name!r} names several rules", way_out="Give one term or rule number.")
    newest = len(editions) - 1
    with_it = (place for place in range(newest, -1, -1) if stands_in(session, editions[place], [wanted]))
    place = place_in(editions, edition, session) if edition else next(with_it, newest)
    here = editions[place]
    standing, led = with_rules(session, here, [wanted], alone=alone)
    parts = {} if alone else parts_of_titles(session, here, standing)
    texts = _Texts(session, here, outline)
    rules = [it for iri, name in standing.items() for it in ((iri, name), *parts.get(iri, {}).items())]
    found = [TracedSentence(it.text, it, iri, name) for iri, name in rules for it in texts.of(iri)]
    passed = _trace_back(session, editions[place::-1], found, having=having, read=read)
    oldest = editions[0].id
    is_older = oldest > bundled_lives().editions[0] and _forget(found, oldest)
    between = _date(session, found, editions)
    notes = [
        *led,
        *([OLDER.format(oldest)] if is_older else []),
        *between,
        *([GAPS] if has_gaps(editions[: place + 1]) else []),
        *slips(session, editions[: place + 1], passed),
    ]
    return Answer("blame", COLUMNS, _rows(found), here.id, tuple(notes))


def _blame_release(session: Session, name: str, release: Edition) -> Answer:
    """Return the rows of `blame` for a paragraph of a rulings site, or of tournament rules."""
    known = releases_beside(session, release)
    history = PageHistory(session, name.strip(), known[known.index(release) :: -1])
    texts = [(it, _sentences(it)) for it in history.starts]
    found = [TracedSentence(sentence.text, sentence, it.iri, it.key) for it, own in texts for sentence in own]
    _trace_back(session, history.path, found, history)
    oldest = history.path[-1].id
    _forget(found, oldest)
    return Answer("blame", COLUMNS, _rows(found), release.id, (RELEASES.format(oldest),))


def _forget(found: Iterable[TracedSentence], oldest: str) -> bool:
    """Forget the origin of sentences that began in the oldest text: they were in it, but may be older."""
    begun = [it for it in found if it.first and it.first[0] == oldest]
    for it in begun:
        it.first = None
    return bool(begun)


def _rows(found: Iterable[TracedSentence]) -> tuple[Cells, ...]:
    return tuple(
        (it.text, *(it.since or ("", "")), it.before or None, *(it.first or (None, None)), it.rule)
        for it in found
    )


def _date(session: Session, found: Sequence[TracedSentence], editions: Sequence[Edition]) -> list[str]:
    """Date changes between loaded editions from the bundled file, which knows when a rule was reworded.

    Return a note on each sentence whose rule was reworded more than once since its earlier wording.
    """
    lives = bundled_lives()
    loaded = {it.id for it in editions}
    places = {place for it in found for place in (it.since, it.first) if place}
    rules = {place: session.iris.rule(*place) for place in places if number_in(place[1])}
    provisions = provisions_of(session, rules.values())
    reworded = {
        place: [it for it in lives.before(provisions[rule], place[0]) if it.change not in _SAME_WORDS]
        for place, rule in rules.items()
        if rule in provisions
    }
    dated: dict[tuple[str, str], tuple[str, str]] = {}
    for place, stages in reworded.items():
        if stages and not any(stages[-1].edition <= it < place[0] for it in loaded):
            dated[place] = stages[-1].edition, stages[-1].number
    gaps: dict[tuple[str, str], list[str]] = {}
    for it in found:
        stages = reworded.get(it.since, []) if it.since and it.said_in else []
        it.since, it.first = (dated.get(place, place) if place else None for place in (it.since, it.first))
        own = {stage.edition for stage in stages if it.since and it.said_in < stage.edition < it.since[0]}
        if own:
            opening = shorten(it.text, _OPENING, placeholder="…")
            gaps.setdefault((it.said_in, ", ".join(sorted(own))), []).append(f"“{opening}”")
    return [BEFORE.format(" and ".join(openings), *gap) for gap, openings in gaps.items()]


def _trace_back(
    session: Session,
    path: Sequence[Edition],
    found: Sequence[TracedSentence],
    history: PageHistory | None = None,
    having: Set[str] = frozenset(),
    read: dict[str, _Texts] | None = None,
) -> set[str]:
    """Fill in the origins of the sentences; `path` leads from their edition to the oldest.

    Return the rules and entries on the way. `read` are the texts of editions by id; those missing are added.
    """
    known = {} if read is None else read
    passed = {it.iri for it in found}
    along, texts = (history.links_along, history.outline) if history else (links_along, outline)
    links = along(session, path, {it.iri for it in found})
    later = known.setdefault(path[0].id, _Texts(session, path[0], texts))
    for steps, pair in zip(links, pairwise(path), strict=True):
        going = [it for it in found if it.first is None]
        # A sentence that was moved has left the path of its rule.
        strayed = {it.iri for it in going} - steps.keys()
        others = along(session, pair, strayed)[0] if strayed else {}
        earlier = known.setdefault(pair[1].id, _Texts(session, pair[1], texts))
        for it in going:
            taken = steps.get(it.iri) or others.get(it.iri, ())
            if len(taken) == 1 and taken[0].change in _SAME_WORDS:
                it.iri = taken[0].other
            else:
                _one_step(it, [step.other for step in taken], later, earlier)
        passed |= {it.iri for it in going}
        later = earlier
    for it in found:
        it.first = it.first or later.place_of(it.iri)
        it.settle(having)
    return passed


def _one_step(it: TracedSentence, origins: Iterable[str], later: _Texts, earlier: _Texts) -> None:
    """Find what a sentence of one edition was in the edition before; if nothing, it is new."""
    candidates = [(iri, text) for iri in origins for text in earlier.of(iri)]
    source = next(((iri, text) for iri, text in candidates if text.masked == it.words.masked), None)
    if source:
        it.iri, it.words = source
        return
    place = later.place_of(it.iri)
    still = {text.masked for text in later.of(it.iri)}
    changed = ((_alike(text, it.words), iri, text) for iri, text in candidates if text.masked not in still)
    likest = max(changed, key=lambda it: it[0], default=None)
    if likest and likest[0] >= ALIKE:
        _, it.iri, found = likest
        it.changes.append((place, found.text, earlier.edition.id))
        it.words = found
    elif (source := earlier.only_place(it.words.masked)) and later.only_place(it.words.masked):
        it.iri, it.words = source  # in two places later, it would be repeated, not moved
    else:
        it.first = place


ReadItems = Callable[[Session, Edition, Collection[str] | None], dict[str, Item]]


@dataclass(eq=False)
class _Texts:
    """The sentences of one edition, read when they are needed."""

    _session: Session
    edition: Edition
    _outline: ReadItems
    _read: dict[str, list[Item]] = field(default_factory=dict)

    def of(self, iri: str) -> list[Item]:
        """Return the sentences of a rule or an entry."""
        if iri not in self._read:
            found = self._outline(self._session, self.edition, [iri])
            self._read[iri] = _sentences(found[iri]) if iri in found else []
        return self._read[iri]

    def place_of(self, iri: str) -> tuple[str, str]:
        """Return the id of the edition, and the number of a rule or the heading of an entry."""
        place = self._session.iris.parse(iri)
        if place.kind == "rule":
            return self.edition.id, place.key
        return self.edition.id, label(self._outline(self._session, self.edition, [iri])[iri])

    def only_place(self, masked: str) -> tuple[str, Item] | None:
        """Return the one place in the edition that has a sentence, None for none or several."""
        found = self._by_words.get(masked, [])
        return found[0] if len(found) == 1 else None

    @cached_property
    def _by_words(self) -> Mapping[str, list[tuple[str, Item]]]:
        items = self._outline(self._session, self.edition, None).items()
        return grouped((it.masked, (iri, it)) for iri, item in items for it in _sentences(item))


def _sentences(item: Item) -> list[Item]:
    return [Item("", "", item.text[start:end]) for start, end in sentences(item.text)]


def _alike(one: Item, other: Item) -> float:
    from rapidfuzz.distance import Indel  # only if a sentence was reworded

    return float(Indel.normalized_similarity(one.stems, other.stems))
