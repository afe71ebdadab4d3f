"""Answer questions about two things or two dates at once, for which the catalogue has no query."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import cast

from ...loaders.language.names import plural
from ...loaders.language.numbers import number_in
from ...ontology import UnknownNameError, slug
from ..catalogue.matching import fitting
from ..catalogue.questions import ParameterKind, Question, question
from ..finding.kinds import kind_called
from ..finding.recognition import Recognised, recognise
from ..finding.things import Thing
from ..session import Answer, Session, with_history
from .histories import OF_ONE_THING, SlotValues, WordReading, computed, newest
from .moment import TimeSpan, edition_called, since_called, span_called, timed
from .neutral import is_neutral
from .running import answer_to, command
from .spelling import respelled
from .understanding import name_alone, named_as, thing_named

_WHAT = {"rules": "rule", "rule": "rule", "subrules": "rule", "entries": "entry", "terms": "entry"}
_WHAT |= dict.fromkeys(("glossary terms", "glossary entries"), "entry")
"""Words for the kind of thing that changed → its name in a comparison."""

_HOW = {
    "new": "added", "added": "added", "introduced": "added", "came": "added", "appeared": "added",
    "removed": "removed", "deleted": "removed", "dropped": "removed", "gone": "removed", "went": "removed",
    "went away": "removed", "disappeared": "removed", "vanished": "removed", "no longer exist": "removed",
    "taken out": "removed", "reworded": "reworded", "rewritten": "reworded", "renumbered": "renumbered",
    "moved": "moved", "split": "split", "merged": "merged",
}  # fmt: skip
"""Words for a change → its name in a comparison."""

_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_PLACE = re.compile(rf"#?(\d{{1,2}})(?:st|nd|rd|th)?|{'|'.join(_ORDINALS)}|last|final", re.IGNORECASE)


_PART = r"(?:definition|meaning|text|words|wording|(?:rule )?number)"
_TEXT_OF = re.compile(
    rf"^(?:the |a )?(?:{_PART} of |rules? (?:for|on|about|of) )|['’]s {_PART}$", re.IGNORECASE
)


def comparisons(session: Session, words: str, *, around: bool = False) -> Iterator[WordReading]:
    """Yield the readings of `words` about two things or times, the likeliest first; most have none.

    `around` is that of `understanding.meanings`. Raises `UnknownNameError` for an edition that is not loaded.
    """
    among = [it for it in computed() if it.name != "whereabouts" and it.area != "cards"]
    words = timed(session, words)
    for asked in dict.fromkeys((words, respelled(session, words))):
        if found := [*_computed(session, asked, among, around)]:
            yield from found
            return


def whereabouts(session: Session, words: str, *, around: bool = False) -> Iterator[WordReading]:
    """Yield readings for the history of the subject of `words`, if nothing replaced it."""
    among = [it for it in computed() if it.name == "whereabouts"]
    for it in _computed(session, words, among, around):
        yield it._replace(loose=True, settled=False)


def _computed(session: Session, words: str, among: Sequence[Question], around: bool) -> Iterator[WordReading]:
    unknown: UnknownNameError | None = None
    found = False
    for fit in fitting(words, among, around=around):
        # *Who sang in 2019* does not ask about changes, so it needs no edition of 2019.
        is_change = fit.given.get("how", "new").lower() in _HOW
        if fit.question.name == "changed_during" and " different" in words:
            continue  # it compares the rules of then with those of today
        if is_change and is_neutral(session, words, fit, None):
            kinds = {it.name: it.kind for it in fit.question.parameters}
            try:
                given = {name: _meant(session, kinds[name], said) for name, said in fit.given.items()}
            except UnknownNameError as error:  # another fit may need no loaded edition
                unknown = unknown or error
                continue
            if None not in given.values():
                for it in _ANSWERED[fit.question.name](session, given):
                    found = True
                    yield it
    if unknown and not found:
        raise unknown


def _meant(session: Session, kind: ParameterKind, said: str) -> str | TimeSpan | Recognised | None:
    """Return the value of a slot: a number, the time since an edition or a period, a thing, words."""
    if kind is ParameterKind.RULE:
        return number_in(name_alone(said)) or None
    if kind is ParameterKind.EDITION:
        return since_called(session, said)
    if kind is ParameterKind.PERIOD:
        return span_called(session, said)
    if kind is ParameterKind.THING:
        return _thing(session, said)
    if kind is ParameterKind.PROCEDURE:
        steps = named_as(session, kind, said, None)
        return steps and (steps[1][0].name if steps[1] else steps[0])
    return said


def _thing(session: Session, said: str) -> Recognised | str | None:
    """Return the thing that words name, or the number of one; None for none."""
    said = _TEXT_OF.sub("", said)
    known = thing_named(session, said)
    return known and (known[1][0] if known[1] else number_in(name_alone(said)))


def _changed(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield readings for rules or entries (of a kind) that changed in one way between two editions."""
    # Few questions need these.
    from ..history.diff import diff, for_people
    from .dated import dated, newcomers, over_parts

    span = _between(session, given)
    before, after = span.before, span.after
    how = _HOW[given.get("how", "new").lower()]
    what = _WHAT.get(given["what"].lower()) or _kind(session, given["what"])
    if not (before and after and what):
        return

    def found_in(part: TimeSpan) -> Answer:
        if isinstance(what, Thing) and how in ("added", "removed"):
            return newcomers(session, partial(_listed, session, what.name), part, how)
        found = diff(session, part.before, part.after, only=how if part.whole else None)
        changes = for_people(found.changes)
        if not part.whole:
            changes = dated(session, changes, part, how)
        if isinstance(what, str):
            return changes._replace(rows=tuple(row for row in changes.rows if row[1] == what))
        those = answer_to(session, question("terms_of_kind"), (what.name,), part.after).rows
        names = {slug(str(row[0])) for row in those}
        return changes._replace(
            rows=tuple(row for row in changes.rows if row[1] == "entry" and slug(str(row[3])) in names)
        )

    said = plural(what.name) if isinstance(what, Thing) else "rules" if what == "rule" else "entries"
    meaning = f"Which {said} were {how} {span.said}?"
    asked = (
        ("diff", before, after, "--only", how) if isinstance(what, str) and span.exact else ("ask", meaning)
    )
    answer = partial(over_parts, span, found_in)
    yield WordReading(meaning, command(*asked), answer, loose=False, settled=True)


def _listed(session: Session, kind: str, edition: str) -> Iterator[Answer]:
    """Yield the possible answers that list things of a kind in an edition."""
    return (answer_to(session, question(it), (kind,), edition) for it in ("list_items", "terms_of_kind"))


def _newest(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield the reading for since when each thing of a kind has been in the rules."""
    kind, edition = _kind(session, given["what"]), edition_called(session, "now")
    if kind and edition:
        answer = partial(newest, session, partial(_listed, session, kind.name), edition)
        meaning = f"Which {plural(kind.name)} are the newest?"
        yield WordReading(meaning, command("ask", meaning), answer)


def _kind(session: Session, words: str) -> Thing | None:
    """Return the kind that words name, by a label of the vocabulary or in player slang: *keywords*."""
    named = thing_named(session, words)
    return kind_called(session, words) or (kind_called(session, named[0]) if named else None)


def _difference(session: Session, given: SlotValues, *things: Recognised | str) -> Iterator[WordReading]:
    """Yield readings for what changed between two editions, or since one, in all rules or within some."""
    span = _between(session, given)
    before, after = span.before, span.after
    if not before or not after or before == after:
        return
    from ..cards.releases import diff_with_cards as diff
    from ..history.diff import for_people
    from .dated import dated, over_parts

    within = ", ".join(it if isinstance(it, str) else it.name for it in things)
    typed = command("diff", before, span.later or after, *(("--within", within) if within else ()))
    where = f" in {within}" if within else ""

    def found_in(part: TimeSpan) -> Answer:
        changes = for_people(diff(session, part.before, part.after, within=within or None).changes)
        return changes if part.whole else dated(session, changes, part)

    def answer() -> Answer:
        changes = over_parts(span, found_in)
        told = "these" if span.exact else "all of them"
        return changes._replace(notes=(*changes.notes, f"{typed} groups {told} by kind, new rules first."))

    meaning = f"What changed{where} {span.said}?"
    recognised = tuple(it for it in things if not isinstance(it, str))
    yield WordReading(meaning, typed, answer, recognised, loose=not within, settled=bool(within))


def within_card(session: Session, given: SlotValues) -> WordReading | None:
    """Return the reading of what changed between two editions, or since one, in the rules of a card."""
    return next(_difference(session, given, given["card"]), None)


_AMONG = re.compile(r"\s*(?:[/,;&]|\b(?:and|or)\b)\s*", re.IGNORECASE)
"""Matches the words between the names of several things."""


_ALL_RULES = re.compile(r"\W*(?:the )?(?:comprehensive |magic )?rules\W*", re.IGNORECASE)
"""Matches words for all rules, where a part could be named: *what changed in the rules in 2025*."""


def _within(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield readings for what changed in some things between two editions; reject words that name nothing."""
    if _ALL_RULES.fullmatch(given["what"]):
        yield from _difference(session, given)
        return
    whole = _thing(session, given["what"])
    named = [whole] if whole else [_thing(session, it) for it in _AMONG.split(given["what"]) if it]
    things = [it for it in named if it]
    if len(things) == len(named):
        yield from _difference(session, given, *things)
    elif not recognise(session, given["what"], None).standing:
        yield from (it._replace(command="") for it in _difference(session, given, given["what"]))


def _between(session: Session, given: SlotValues) -> TimeSpan:
    """Return the time whose changes the question is about."""
    if "after" not in given:
        return cast("TimeSpan", given.get("during") or given["before"])
    since: TimeSpan = given["before"]
    return since.until(session, given["after"])


def _over(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield the reading for changes over several editions; a single edition's own data has its changes."""
    span = given["during"]
    followed = [it.id for it in with_history(session.editions())]
    if span.before and (not span.exact or followed.index(span.after) - followed.index(span.before) > 1):
        yield from _difference(session, given)


def _since(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield the reading for the changes since an edition; for the newest one, its own changes."""
    span = given["before"]
    if span.before == span.after:
        span = TimeSpan(edition_called(session, "the last edition") or "", span.after)
    if span.before and span.after:
        yield from _difference(session, {"before": span})
    elif span.after:
        asked = question("changed_rules")
        answer = partial(answer_to, session, asked, (), None)
        yield WordReading(asked.title, command("ask", asked.name), answer, loose=False, settled=True)


def _gone(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield the reading for removed rules, if words name nothing today."""
    words = f"{name_alone(given['what'])} {given.get('doing', '')}".strip()
    if thing_named(session, words) is None and with_history(session.editions()):
        # Few questions need this.
        from .sentences import MOST_GONE, went

        meaning = f"Which rules with “{words}” are gone, and since when?"
        answer = partial(went, session, words, MOST_GONE)
        yield WordReading(meaning, command("search", words, edition="all"), answer)


def _chain(session: Session, given: SlotValues) -> Iterator[WordReading]:
    from ..reliance.interaction import why_and_where

    one, other = given["concept"], given["other"]
    if not isinstance(one, str) and not isinstance(other, str):
        yield WordReading(
            f"Through which links does {one.name} rely on {other.name}?",
            command("why", one.name, other.name),
            lambda: why_and_where(session, one.name, other.name),
            (one, other),
        )


def _apart(session: Session, given: SlotValues) -> Iterator[WordReading]:
    one, other = given["concept"], given["other"]
    if isinstance(one, str) or isinstance(other, str):
        return
    asked = question("definition")
    same = one.iri == other.iri
    yield WordReading(
        f"What is {one.name}, which is both of these?"
        if same
        else f"What is {one.name}, and what is {other.name}?",
        command("ask", "definition", one.name),
        partial(answer_to, session, asked, (one.name,), None)
        if same
        else partial(_both_defined, session, one.name, other.name),
        (one, other),
    )


def _both_defined(session: Session, *names: str) -> Answer:
    """Yield the reading for the definitions of two terms."""
    first, second = (answer_to(session, question("definition"), (name,), None) for name in names)
    rows = tuple(dict.fromkeys((*first.rows, *second.rows)))
    span = " to ".join(dict.fromkeys((first.edition, second.edition)))
    return Answer("definition", first.columns, rows, span, (*first.notes, *second.notes))


def _step_at(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield the reading for one step of a procedure, by its place; a phase alone is one of the turn."""
    said = _PLACE.fullmatch(given["place"])
    if not said:
        return
    whole, word = given.get("concept", "turn"), said[0].lower()
    place = int(said[1]) if said[1] else _ORDINALS.index(word) + 1 if word in _ORDINALS else 0
    asked = question("steps_of")

    def answer() -> Answer:
        found = answer_to(session, asked, (whole,), None)
        column = found.columns.index("step")
        steps = [row[column] for row in found.rows]
        wanted = place or max((it for it in steps if isinstance(it, int)), default=0)
        rows = tuple(row for row in found.rows if row[column] == wanted)
        note = f"It is one of {len(steps)}." if rows else f"There are {len(steps)}."
        return found._replace(rows=rows or found.rows, notes=(*found.notes, *([note] if steps else [])))

    which = f"number {place}" if place else "the last"
    meaning = f"{asked.title.format(concept=whole)} {which.capitalize()}"
    yield WordReading(meaning, command("ask", "steps_of", whole), answer)


_ANSWERED: Mapping[str, Callable[[Session, SlotValues], Iterator[WordReading]]] = {
    "changed_between": _changed,
    "changed_since": _changed,
    "changed_in": _changed,
    "newest": _newest,
    "within": _within,
    "difference": _difference,
    "since": _since,
    "during": _over,
    "gone": _gone,
    "stopped": _gone,
    "within_during": _within,
    "chain": _chain,
    "apart": _apart,
    "step_at": _step_at,
    **OF_ONE_THING,
}
"""The function for each of the questions of `computed.txt`."""
