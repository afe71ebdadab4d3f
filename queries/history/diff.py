"""Compare two editions: what changed, how much in each chapter, and which terms rely on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from ...loaders.history.items import Change, ChangeKind, Item
from ...loaders.history.matching import changes_between
from ...loaders.language.words import wording
from ...ontology.grouping import grouped
from ..session import Answer, Cells, Session
from .changes import CHAPTER_COLUMNS, TERM_COLUMNS, affected, chapters, kinds_of_change, lying_within, wanted
from .links import label, links_along, outcomes, outline, path_between, slips, timeline
from .releases import release_called, releases_beside, units_of_both

COLUMNS = ("change", "kind", "before", "after", "words")


class Difference(NamedTuple):
    """What changed between two editions, as tables.

    Attributes:
        changes: a row for each rule or entry that changed: change, kind, before, after, words.
        chapters: how much changed in each chapter of the later edition, and in its glossary.
        terms: the terms of the later edition that rely on what changed, most links first.
    """

    changes: Answer
    chapters: Answer
    terms: Answer


def diff(
    session: Session,
    before: str,
    after: str,
    *,
    only: str | Sequence[str] | None = None,
    within: str | None = None,
) -> Difference:
    """Compare two editions of the comprehensive rules, consecutive or not, in the words of `trace`.

    Two releases of rulings pages, or of tournament rules, are compared by paragraphs.

    Changes: those of `ChangeKind`; ``split`` and ``merged`` name a rule and one that it went into. Kind:
    ``rule`` or ``entry``; the words that went stand in ``[-…-]``, those that came in ``{+…+}``. Terms:
    how many explicit links lead from the term to rules and entries that came or have other words, and to
    which. `only` keeps some changes, `within` those of a rule or chapter (see `changes`), and what follows
    from them.

    Raises `UnknownNameError` for an edition that is not loaded and a number that neither edition has,
    `UsageError` for an unknown change.
    """
    keep = kinds_of_change(only)
    notes: tuple[str, ...] = ()
    one, other = (release_called(session, it) for it in (before, after))
    if one and other and other in releases_beside(session, one):
        path = [one, other]
        old, new, notes = units_of_both(session, one, other)
        # What is not loaded as the history of editions is has no links: the words are compared here.
        ways = [it for it in changes_between([*old.values()], [*new.values()]) if it.old and it.new]
    else:
        path = path_between(timeline(session), before, after, session)
        old, new = outline(session, path[0]), outline(session, path[-1])
        ways = outcomes(links_along(session, path), old, new)
    changes = [it for it in _changes(ways, old, new) if wanted(it, keep, old, new)]
    if within is not None:
        changes = [*lying_within(changes, within, old, new)]
    scope = f"{path[0].id} to {path[-1].id}"
    told = slips(session, (path[0], path[-1]), (iri for it in changes for iri in (it.old, it.new) if iri))
    return Difference(
        Answer("diff", COLUMNS, tuple(_row(it, old, new) for it in changes), scope, (*notes, *told)),
        Answer("chapters", CHAPTER_COLUMNS, chapters(changes, ways, old, new), scope),
        Answer("terms affected", TERM_COLUMNS, affected(session, path[-1], changes, new), path[-1].id),
    )


def _changes(ways: Sequence[Change], old: Mapping[str, Item], new: Mapping[str, Item]) -> Iterator[Change]:
    """Yield all that changed, in the order of the later text, what was removed last."""
    came = grouped((way.new, way) for way in ways)
    for iri in new:
        if iri not in came:
            yield Change(ChangeKind.ADDED, "", iri)
        yield from (way for way in came.get(iri, ()) if way.kind is not ChangeKind.UNCHANGED)
    gone_on = {way.old for way in ways}
    yield from (Change(ChangeKind.REMOVED, iri, "") for iri in old if iri not in gone_on)


def _row(change: Change, old: Mapping[str, Item], new: Mapping[str, Item]) -> Cells:
    before, after = old.get(change.old), new.get(change.new)
    kind = "entry" if any(it is not None and it.is_entry for it in (before, after)) else "rule"
    words = marked(before.text if before else "", after.text if after else "")
    return (
        change.kind.value,
        kind,
        label(before) if before else "",
        label(after) if after else "",
        words,
    )


def marked(before: str, after: str) -> str:
    """Return the later words with the difference marked, word by word.

    >>> marked("Take three moths.", "Take four moths.")
    'Take [-three-] {+four+} moths.'
    """
    if not before or not after:
        return after or before
    framed = {"same": "{}", "gone": "[-{}-]", "come": "{{+{}+}}"}
    return " ".join(framed[what].format(words) for what, words in compared(before, after))


def compared(before: str, after: str) -> list[tuple[str, str]]:
    """Return the words of two texts in their order, each stretch with what became of it.

    That is ``"same"``, ``"gone"`` or ``"come"``; references to other numbers count as different words, other
    quotes and dashes do not. Words are given as they are printed, the same ones as in the later text.

    >>> compared("Take three 'moths'.", "Take four ‘moths’.")
    [('same', 'Take'), ('gone', 'three'), ('come', 'four'), ('same', '‘moths’.')]
    """
    a, b = wording(before).split(), wording(after).split()
    former, later = _printed(before, a), _printed(after, b)
    out: list[tuple[str, str]] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal":
            out.append(("same", " ".join(later[j1:j2])))
            continue
        out += [("gone", " ".join(former[i1:i2]))] if i2 > i1 else []
        out += [("come", " ".join(later[j1:j2]))] if j2 > j1 else []
    return out


def _printed(text: str, words: Sequence[str]) -> Sequence[str]:
    """Return the `words` of a text as they are printed; where a mark stands alone, as they are compared."""
    printed = text.split()
    return printed if len(printed) == len(words) else words
