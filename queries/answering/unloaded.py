"""Answer what changed in a time from the bundled list of all editions, where these are not loaded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import timedelta
from itertools import pairwise
from typing import NamedTuple, cast

from ...loaders.history.items import ChangeKind
from ...loaders.history.lives import bundled_lives
from ...loaders.language.dates import Period, periods
from ...loaders.language.numbers import order
from ...ontology import RG, counted
from ..catalogue.questions import question
from ..history.beyond import provisions_of
from ..history.diff import kinds_meant
from ..history.links import outline
from ..session import Answer, Session, with_history
from .dated import items_of, rules_called
from .moment import TimeSpan


def time_called(said: Mapping[str, str]) -> TimeSpan | None:
    """Return the time that the words of a question name, None for other words.

    The words are those for its slots ``during``, or ``before`` and perhaps ``after``. *Since* a year includes
    it; other times begin on the day after what is named.
    """
    found = [next(periods(f"in {said[it]}"), None) for it in ("during", "before", "after") if it in said]
    if None in found:
        return None
    start, end = cast("Period", found[0]), cast("Period", found[-1])
    if "during" in said:
        own = f"cr-{start.name}"
        name = own if own in bundled_lives().editions else start.name
        return TimeSpan("", "", start.first, end.last, f"in {name}")
    if "after" in said:
        return TimeSpan("", "", start.last + timedelta(1), end.last, f"from {start.last} to {end.last}")
    first = start.last + timedelta(1) if start.first == start.last else start.first
    return TimeSpan("", "", first, name=f"since {start.name}")


def is_listed(session: Session, span: TimeSpan) -> bool:
    """Return whether the bundled list has the changes of a time: an edition from then, and all loaded ones.

    The rules of another game are not in it.
    """
    listed = bundled_lives().editions
    loaded = {it.id for it in with_history(session.editions()) if span.holds(it.id)}
    return loaded <= {*listed} and any(map(span.holds, listed[1:])) and session.once(is_followed)


def is_followed(session: Session) -> bool:
    """Return whether the bundled list knows rules of the newest loaded edition."""
    followed = with_history(session.editions())
    provisions = session.pairs(session.scope(followed[-1].id), RG.provision) if followed else ()
    return any(not session.iris.parse(it).edition for _, it in provisions)


def changes_in(session: Session, span: TimeSpan, how: str) -> Answer:
    """Return a row for each change of a rule in a time: change, edition, and numbers and texts on both sides.

    `how` is a choice of `diff`, or ``""`` for all.

    A rule that was split off, or into which another was merged, has the number and text of that other before.
    """
    wanted = kinds_meant(how) if how else frozenset(ChangeKind)
    found = [it for it in _all_changes() if it.kind in wanted and span.holds(it.edition)]
    found.sort(key=lambda it: (it.edition, order((it.after or it.before or "").partition("~")[0])))
    words = _Words(session, span, {rule for it in found for rule in (it.old, it.new) if rule})
    rows = ((it.kind.value, it.edition, it.before, it.after, *words.of(it)) for it in found)
    over = [it for it in bundled_lives().editions if span.holds(it)]
    lead = "This is from the bundled list of all editions, which has the numbers and dates of rules, but no "
    lead += "glossary. Words come from loaded editions."
    if not found:
        lead = f"By the bundled list of all editions, which has no glossary, no rule was {how or 'changed'} "
        lead += f"{span.name}."
    if span.last.isoformat() > bundled_lives().editions[-1][3:]:
        lead += f" The list ends with {bundled_lives().editions[-1]}."
    if doubtful := [f"{it.after or it.before} in {it.edition}" for it in found if it.sure is not None]:
        lead += f" Doubtful: {', '.join(doubtful)}."
    label = f"{bundled_lives().edition_before(over[0])} to {over[-1]}"
    columns = ("change", "edition", "before", "after", "old", "new")
    return Answer("diff", columns, tuple(dict.fromkeys(rows)), label, (lead,), lead=(lead,))


def most_changed(session: Session, how: str) -> Answer:
    """Return a row for each rule of the newest loaded edition that changed: number, text, times; most first.

    `how` is a choice of `diff`, ``""`` for any change. Changes in all editions on the bundled list count.
    """
    newest = with_history(session.editions())[-1]
    rules = {it.iri: it for it in outline(session, newest).values() if not it.is_entry}
    # A change of both its number and its words counts for each.
    wanted = {*kinds_meant(how), ChangeKind.MOVED_AND_REWORDED} if how else {*ChangeKind}
    times = Counter(it.new for it in _all_changes() if it.kind in wanted and it.old == it.new)
    own = ((rules[iri], times[provision]) for iri, provision in provisions_of(session, [*rules]).items())
    found = [(it.key, it.text, many) for it, many in own if many]
    found.sort(key=lambda row: (-row[2], row[0]))
    lead = f"These are changes in {counted(len(bundled_lives().editions), 'edition')}, by the bundled list."
    return Answer("most_changed", ("number", "text", "times"), tuple(found), newest.id, (lead,))


class _Change(NamedTuple):
    """A change of a rule in an edition: its numbers, and the ids of what it was and what it is.

    `sure` is the confidence of a doubtful change.
    """

    kind: ChangeKind
    edition: str
    before: str | None
    after: str | None
    old: str
    new: str
    sure: float | None = None


def _all_changes() -> Iterator[_Change]:
    """Yield every change of every rule in the bundled list."""
    lives = bundled_lives()
    for it in lives.provisions:
        tenures = lives.tenures(it)
        if tenures[0].change is ChangeKind.ADDED:
            yield _Change(
                ChangeKind.ADDED, tenures[0].first, None, tenures[0].number, "", it, tenures[0].sure
            )
        for was, now in pairwise(tenures):
            if now.change:
                yield _Change(now.change, now.first, was.number, now.number, it, it, now.sure)
        until = tenures[-1].until
        for heir, stage in lives.taken_over_by(it):
            before = lives.at(it, lives.edition_before(stage.edition))
            if stage.change and before:
                yield _Change(stage.change, stage.edition, before.number, stage.number, it, heir, stage.sure)
            until = "" if stage.edition == until else until
        if until:
            yield _Change(ChangeKind.REMOVED, until, tenures[-1].number, None, it, "")


class _Words:
    """The words that rules had before and after a change, as far as loaded editions around it have them."""

    def __init__(self, session: Session, span: TimeSpan, provisions: Collection[str]) -> None:
        loaded = [it.id for it in with_history(session.editions())]
        near = [it for it in loaded if it in (span.before, span.after, span.later, loaded[-1])]
        self._texts = {it: _texts(session, it, provisions) for it in near}

    def of(self, change: _Change) -> tuple[str, str]:
        """Return the words before and after a change, ``""`` where they are not known or there are none."""
        before = bundled_lives().edition_before(change.edition)
        return self._said(change.old, before), self._said(change.new, change.edition)

    def _said(self, provision: str, edition: str) -> str:
        """Return the words that a rule had in an edition, from a loaded one in which it has the same."""
        then = bundled_lives().at(provision, edition)
        for loaded, texts in self._texts.items():
            now = bundled_lives().at(provision, loaded)
            if then and now and then.words == now.words and provision in texts:
                return texts[provision]
        return ""


def _texts(session: Session, edition: str, provisions: Iterable[str]) -> dict[str, str]:
    """Return the words of provisions in an edition."""
    [here] = [it for it in session.editions() if it.id == edition]
    held = (bundled_lives().at(it, edition) for it in provisions)
    rules = outline(session, here, {session.iris.rule(edition, it.number) for it in held if it})
    return {own: rules[rule].text for rule, own in provisions_of(session, rules).items()}


def added_in(session: Session, span: TimeSpan, lists: Iterable[Answer]) -> Answer:
    """Return the things of a kind that were added in a time, from what lists them today."""
    found = next((it for it in lists if it.rows), None)
    if found is None:
        return Answer("list_items", question("list_items").returns, (), span.name, answered=False)
    names = items_of(found)
    rules = rules_called(session, found.edition, names)
    provisions = provisions_of(session, [it.iri for it in rules.values()])
    began = {it: bundled_lives().tenures(provision)[:1] for it, provision in provisions.items()}
    dated = [began.get(rules[name].iri, ()) if name in rules else () for name in names]
    rows = tuple(
        row
        for row, own in zip(found.rows, dated, strict=True)
        if any(it.change and span.holds(it.first) for it in own)
    )
    listed = f"by the bundled list of all editions, their rules were added {span.name}"
    lead = [f"These are in {found.edition}; {listed}."]
    if unknown := sum(not own for own in dated):
        lead.append(f"{counted(unknown, 'thing')} of this kind left out: no rule of its own gives it a date.")
    told = tuple(lead if rows else lead[1:])
    notes = (*told, "What was added and removed again is missing.", *found.notes)
    return found._replace(rows=rows, notes=notes, lead=told, answered=bool(rows) or not unknown)
