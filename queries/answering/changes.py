"""Read questions about what changed in a time: in all rules, in some of them, or among things of a kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import cast

from ...loaders.history.lives import bundled_lives
from ...loaders.language.everyday import is_english
from ...loaders.language.names import plural
from ...loaders.language.numbers import number_in
from ...ontology import UnknownNameError, in_a_list, slug
from ..catalogue.questions import question
from ..finding.kinds import kind_called
from ..finding.recognition import Recognised, recognise
from ..finding.things import Thing
from ..session import Answer, Session, with_history
from .histories import newest
from .moment import TimeSpan, edition_called, since_called
from .running import answer_to, command
from .slots import SlotValues, WordReading
from .understanding import name_alone, thing_named

_WHAT = {"rules": "rule", "rule": "rule", "subrules": "rule", "entries": "entry", "terms": "entry"}
_WHAT |= {"glossary terms": "entry", "glossary entries": "entry", "chapters": "chapter"}
"""Words for the kind of thing that changed → its name in a comparison."""

HOW = {
    "new": "added", "added": "added", "introduced": "added", "came": "added", "appeared": "added",
    "removed": "removed", "deleted": "removed", "dropped": "removed", "gone": "removed", "went": "removed",
    "went away": "removed", "disappeared": "removed", "vanished": "removed", "no longer exist": "removed",
    "taken out": "removed", "reworded": "reworded", "rewritten": "reworded", "renumbered": "renumbered",
    "moved": "moved", "split": "split", "merged": "merged",
}  # fmt: skip
"""Words for a change → its name in a comparison."""

_OF_A_SET = re.compile(
    r"\b(?:change[ds]?|new|added|removed|introduced|came|come|updated?)\b.*?"
    r" (?:in|with|by|from) (?:the )?(?:[Ss]et )?"
    r"(?:(?P<sure>Magic \d{4}|[A-Z]{1,3}\d{1,2})|(?P<name>(?:[A-Z]\w+ ?)+))"
    r"(?: ?(?:set|update|release|changes|rules|expansion))*\W*$"
)

_BY_DATE = "Sets of cards have no dates here: name a year or an edition, such as “what changed in 2019”."


def of_sets(words: str, *, sure: bool = False) -> Iterator[str]:
    """Yield a remark on a question for what changed with a set of cards: *what was new in Magic 2015*.

    Only if not `sure`, this may be any name that is no English word.
    """
    found = _OF_A_SET.search(words)
    name = found["name"] if found else None
    if found and (found["sure"] or (not sure and name and not all(map(is_english, name.lower().split())))):
        yield _BY_DATE


_PART = r"(?:definition|meaning|text|words|wording|(?:rule )?number)"
_TEXT_OF = re.compile(
    rf"^(?:the |a )?(?:{_PART} of |rules? (?:for|on|about|of) )|['’]s {_PART}$", re.IGNORECASE
)


def thing_meant(session: Session, said: str) -> Recognised | str | None:
    """Return the thing that words name, or the number of one; None for none."""
    said = _TEXT_OF.sub("", said)
    known = thing_named(session, said)
    return known and (known[1][0] if known[1] else number_in(name_alone(said)))


def _changed(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield readings for rules or entries (of a kind) that changed in one way between two editions."""
    # Few questions need these.
    from ..history.diff import diff, for_people
    from .newcomers import dated, gone, newcomers, over_parts, with_numbers_now

    span = _between(session, given)
    before, after = span.before, span.after
    how = HOW[given.get("how", "new").lower()]
    what = _WHAT.get(given["what"].lower()) or _kind(session, given["what"])
    if not (before and after and what) or (
        before == after and any(map(span.holds, bundled_lives().editions))
    ):
        return
    if what == "rule" and not span.exact:
        from .unloaded import is_listed

        if is_listed(session, span):
            yield _listed_changes(session, span, how)
            return

    def found_in(part: TimeSpan) -> Answer:
        if isinstance(what, Thing) and how in ("added", "removed"):
            listed = partial(_listed, session, what.name)
            is_new = how == "added"
            return newcomers(session, listed, part) if is_new else gone(session, what.name, listed, part)
        found = diff(session, part.before, part.after, only=how if part.whole else None)
        changes = for_people(found.changes)
        if isinstance(what, str):
            is_chapter = what == "chapter"
            own = (row for row in changes.rows if row[1] == ("rule" if is_chapter else what))
            rows = tuple(row for row in own if not is_chapter or str(row[3] or row[2]).isdigit())
            changes = changes._replace(rows=rows)
        if not part.whole:
            changes = dated(session, changes, part, how)
        if isinstance(what, str):
            return changes
        those = answer_to(session, question("terms_of_kind"), (what.name,), part.after).rows
        names = {slug(str(row[0])) for row in those}
        return changes._replace(
            rows=tuple(row for row in changes.rows if row[1] == "entry" and slug(str(row[3])) in names)
        )

    said = plural(what.name if isinstance(what, Thing) else what)
    meaning = f"Which {said} were {how} {span.said}?"
    is_diff = isinstance(what, str) and span.exact
    asked = ("diff", before, after, "--only", how) if is_diff else ("ask", meaning)

    def answer() -> Answer:
        return with_numbers_now(session, over_parts(span, found_in))

    yield WordReading(meaning, command(*asked), answer, loose=False, settled=True)


def _listed_changes(session: Session, span: TimeSpan, how: str) -> WordReading:
    """Return the reading for which rules changed in a time, by the bundled list; `how` may be ``""``."""
    from .unloaded import changes_in

    meaning = f"Which rules {f'were {how}' if how else 'changed'} {span.name}?"
    answer = partial(changes_in, session, span, how)
    return WordReading(meaning, command("ask", meaning), answer, loose=False, settled=True)


def _listed(session: Session, kind: str, edition: str) -> Iterator[Answer]:
    """Yield the possible answers that list things of a kind in an edition."""
    return (answer_to(session, question(it), (kind,), edition) for it in ("list_items", "terms_of_kind"))


def _changed_ever(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield readings for what changed in one way since the oldest loaded edition."""
    loaded = with_history(session.editions())
    if loaded and (since := since_called(session, loaded[0].id)):
        yield from _changed(session, {**given, "before": since})


_MOST_GONE = 10  # things of a kind to name that only older editions have

_EVER = re.compile(
    r"\W*(?:which|what|how many|all) (?P<kind>[\w-]+(?: [\w-]+)??) (?:that )?"
    r"(?:(?:have )?ever existed|existed ever|(?:have|were) there ever(?: been)?"
    r"|have ever been (?:in the rules|there))"
    r"(?: in (?:the rules|magic|the game))?\W*",
    re.IGNORECASE,
)
"""Words for all things of a kind, of today and before: *which keyword abilities have ever existed*."""


def all_ever(session: Session, words: str) -> Iterator[WordReading]:
    """Yield the reading for all things of a kind in the loaded editions, those of the newest first."""
    said = _EVER.fullmatch(words)
    kind, loaded = said and _kind(session, said["kind"]), [it.id for it in with_history(session.editions())]
    if not kind or not loaded:
        return
    listed, newest = partial(_listed, session, kind.name), loaded[-1]

    def answer() -> Answer:
        from .dated import items_of
        from .newcomers import gone

        now = next((it for it in listed(newest) if it.rows), None)
        if now is None:
            return Answer("list_items", question("list_items").returns, (), newest)
        left = gone(session, kind.name, listed, TimeSpan(loaded[0], newest))
        told = f"{newest} has {len(now):,} {plural(kind.name)}"
        called = in_a_list(items_of(left), _MOST_GONE)
        told += f"; older loaded editions have {len(left):,} more: {called}." if left.rows else "."
        told += " Editions that are not loaded may have others."
        return now._replace(
            name="ever", rows=(*now.rows, *left.rows), lead=(told,), notes=(told, *left.notes[1:])
        )

    meaning = f"Which {plural(kind.name)} have ever existed?"
    yield WordReading(meaning, command("ask", meaning), answer, loose=False, settled=True)


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
    from .newcomers import dated, over_parts

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

_ALL_RULES = re.compile(
    r"\W*(?:the )?(?:comprehensive |magic )?(?:rules|things|editions?|versions?|cr)\W*", re.IGNORECASE
)
"""Matches words for all rules, where a part could be named: *what changed in the rules in 2025*."""

_ASKING = re.compile(r"\W*(?:how|what|which|who|where|why)\b", re.IGNORECASE)
"""Matches words that ask for something, and name nothing: *how many rules were there in 2031 and in 2032*."""


def _within(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield readings for what changed in some things between two editions; reject words that name nothing."""
    if _ALL_RULES.fullmatch(given["what"]):
        yield from _difference(session, given)
        return
    # The words of entries have no dates, nor have cards.
    if given["what"].lower() in (*_WHAT, "cards", "the") or _ASKING.match(given["what"]):
        return
    whole = thing_meant(session, given["what"])
    named = [whole] if whole else [thing_meant(session, it) for it in _AMONG.split(given["what"]) if it]
    things = [it for it in named if it]
    if len(things) == len(named):
        yield from _difference(session, given, *things)
    elif not recognise(session, given["what"], None).standing:
        yield from (it._replace(command="") for it in _difference(session, given, given["what"]))


def _between(session: Session, given: SlotValues) -> TimeSpan:
    """Return the time whose changes the question is about."""
    if "after" not in given:
        return cast("TimeSpan", given.get("during") or given["before"])
    return cast("TimeSpan", given["before"]).until(session, given["after"])


def _over(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield the reading for changes over several editions; a single edition's own data has its changes."""
    span = given["during"]
    between = [it.id for it in with_history(session.editions()) if span.before < it.id < span.after]
    if span.before and (not span.exact or between):
        yield from _difference(session, given)


def _since(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield the reading for the changes since an edition; for the newest one, its own changes."""
    span = given["before"]
    if span.before == span.after >= bundled_lives().editions[-1]:
        span = TimeSpan(edition_called(session, "the last edition") or "", span.after)
    if span.before and span.after:
        yield from _difference(session, {"before": span})


def _most(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield the reading for the rules that changed most often in one way; see also `most_renumbered`."""
    from .unloaded import is_followed, most_changed

    how, several = HOW[given["how"].lower()] if "how" in given else "", with_history(session.editions())[1:]
    if how in ("", "reworded", "moved", "" if several else "renumbered") and session.once(is_followed):
        said = f"Which rules were {how or 'changed'} most often?"
        yield WordReading(said, command("ask", said), partial(most_changed, session, how), loose=False)


_IN_THE_LIST = ("changed_between", "changed_since", "changed_in", "since", "during", "difference")


def from_the_list(session: Session, name: str, said: Mapping[str, str]) -> WordReading | None:
    """Return the reading for changes of a time that no two loaded editions surround, from the bundled list.

    `name` is that of a question of `computed.txt`, `said` the words for its slots. Returns None for other
    questions, and for a time of which the list knows nothing.

    Raises `UnknownNameError` for things of a kind in a time after the loaded editions.
    """
    from .unloaded import added_in, is_listed, time_called

    editions = with_history(session.editions())
    if not editions or name not in _IN_THE_LIST:
        return None
    newest_of_all = editions[-1].id
    is_dated = any(it.isdigit() for it in said.get("during", "") + said.get("before", ""))
    span = time_called(said if is_dated else {"during": newest_of_all})
    span = span if span and is_listed(session, span) else None
    how = HOW[said.get("how", "new").lower()] if "what" in said else ""
    what = _WHAT.get(said.get("what", "rules").lower()) or _kind(session, said["what"])
    if span and what == "rule":
        return _listed_changes(session, span, how)
    if span and isinstance(what, Thing) and how == "added":
        if newest_of_all < f"cr-{span.first}":
            told = f"no loaded edition was issued {span.name}"
            raise UnknownNameError("loaded edition", span.name, [newest_of_all], what=told)
        meaning = f"Which {plural(what.name)} were added {span.name}?"
        answer = partial(added_in, session, span, _listed(session, what.name, newest_of_all))
        return WordReading(meaning, command("ask", meaning), answer, loose=False, settled=True)
    if not is_dated and name == "since":
        asked = question("changed_rules")
        answer = partial(answer_to, session, asked, (), None)
        return WordReading(asked.title, command("ask", asked.name), answer, loose=False, settled=True)
    return None


OF_A_TIME: Mapping[str, Callable[[Session, SlotValues], Iterator[WordReading]]] = {
    "changed_between": _changed,
    "changed_since": _changed,
    "changed_in": _changed,
    "changed_ever": _changed_ever,
    "most_changed": _most,
    "newest": _newest,
    "within": _within,
    "within_during": _within,
    "difference": _difference,
    "since": _since,
    "during": _over,
}
"""The function for each of the questions of `computed.txt` about changes in a time."""
