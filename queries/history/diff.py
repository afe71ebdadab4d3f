"""Two editions of the rules become what changed between them, and the terms that rest on it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from ...loaders.language.words import wording
from ..session import Answer, Edition, Session
from .timeline import place_in, timeline

COLUMNS = ("change", "kind", "before", "after", "words")
TERM_COLUMNS = ("term", "links", "rests on")


@dataclass(frozen=True, slots=True)
class _Part:
    """A rule (`key` is its provision) or entry (its term) of one edition."""

    key: str
    iri: str
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Difference:
    """`changes` and `terms` are tables; the terms are those of the later edition, most links first."""

    changes: Answer
    terms: Answer


def diff(session: Session, before: str, after: str) -> Difference:
    """Compare two editions of the comprehensive rules, consecutive or not.

    Changes: ``added``, ``removed``, ``renumbered`` (of an entry: ``renamed``), ``reworded``, or both; kind
    ``rule`` or ``entry``; the words that went stand in ``[-…-]``, those that came in ``{+…+}``. Terms:
    how many explicit links lead from the term to rules and entries that changed (or were removed), and
    to which.

    Raises `UnknownNameError` for an edition that is not loaded.
    """
    editions = timeline(session)
    first, last = (editions[place_in(editions, name, session)] for name in (before, after))
    rows: list[tuple[str, ...]] = []
    touched: dict[str, str] = {}
    for kind, old, new in (
        ("rule", _rules(session, first), _rules(session, last)),
        (
            "entry",
            _renamed(_entries(session, first), _entries(session, last), session),
            _entries(session, last),
        ),
    ):
        for how, a, b in _compare(old, new):
            words = marked(a.text if a else "", b.text if b else "")
            change = how.replace("renumbered", "renamed") if kind == "entry" else how
            rows.append((change, kind, a.label if a else "", b.label if b else "", words))
            if b and change not in ("renumbered", "renamed"):
                touched[b.iri] = b.label
    scope = f"{first.id} to {last.id}"
    changes = Answer("diff", COLUMNS, tuple(rows), scope)
    return Difference(
        changes, Answer("terms affected", TERM_COLUMNS, _affected(session, last, touched), last.id)
    )


def _rules(session: Session, edition: Edition) -> list[_Part]:
    graphs = (session.iris.history(edition.id), session.iris.document(edition.documents[0].id))
    rows = session.run("history", "rules", graphs)
    return [
        _Part(str(provision), str(item), str(number), str(words)) for item, provision, number, words in rows
    ]


def _renamed(old: Sequence[_Part], new: Sequence[_Part], session: Session) -> list[_Part]:
    """Give entries whose term goes by another name on the other side that name as their key."""
    here, there = ({part.key for part in parts} for parts in (old, new))
    other: dict[str, str] = {}
    for before, after in session.run("history", "renamed", (session.iris.graph("terms"),)):
        for name, its in ((str(before), str(after)), (str(after), str(before))):
            if its in there - here and name not in there:
                other[name] = its
    return [replace(part, key=other.get(part.key, part.key)) for part in old]


def _entries(session: Session, edition: Edition) -> list[_Part]:
    rows = session.run("history", "entries", (session.iris.document(edition.documents[0].id),))
    words: dict[tuple[str, str], list[str]] = defaultdict(list)
    for term, heading, text in rows:
        words[str(term), str(heading)].append(str(text))
    return [_Part(term, term, heading, "\n".join(texts)) for (term, heading), texts in words.items()]


def _compare(old: Sequence[_Part], new: Sequence[_Part]) -> Iterator[tuple[str, _Part | None, _Part | None]]:
    before = {part.key: part for part in old}
    after = {part.key: part for part in new}
    for part in new:
        earlier = before.get(part.key)
        if earlier is None:
            yield "added", None, part
            continue
        moved, reworded = earlier.label != part.label, wording(earlier.text) != wording(part.text)
        if moved or reworded:
            kinds = [name for name, is_so in (("renumbered", moved), ("reworded", reworded)) if is_so]
            yield " and ".join(kinds), earlier, part
    for part in old:
        if part.key not in after:
            yield "removed", part, None


def marked(before: str, after: str) -> str:
    """Return the later words with the difference marked, word by word.

    >>> marked("Take three moths.", "Take four moths.")
    'Take [-three-] {+four+} moths.'
    """
    if not before or not after:
        return after or before
    a, b = wording(before).split(), wording(after).split()
    if a == b:
        return " ".join(b)
    out: list[str] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal":
            out += b[j1:j2]
            continue
        out += [f"[-{' '.join(a[i1:i2])}-]"] if i2 > i1 else []
        out += [f"{{+{' '.join(b[j1:j2])}+}}"] if j2 > j1 else []
    return " ".join(out)


def _affected(
    session: Session, edition: Edition, touched: dict[str, str]
) -> tuple[tuple[str, int, str], ...]:
    """Return the terms of `edition` with an explicit link to what changed, ranked by the number of links.

    A term counts as linked to a rule when it is linked to the rule itself, to one of its subrules, or to
    a term that the rule defines.
    """
    derived, terms = session.iris.derived(edition.id), session.iris.graph("terms")
    parse = session.iris.parse
    changed_terms = {iri: label for iri, label in touched.items() if parse(iri).kind == "term"}
    rules = {iri: label for iri, label in touched.items() if parse(iri).kind == "rule"}
    for term, rule in session.run("history", "defining", (derived,)):
        if str(rule) in rules:
            changed_terms.setdefault(str(term), rules[str(rule)])
    above: dict[str, set[str]] = defaultdict(set)
    for iri, label in rules.items():
        above[iri].add(label)
        place = parse(iri)
        whole = place._replace(key=place.key.rstrip("abcdefghijklmnopqrstuvwxyz"))
        above[session.iris.iri(whole)].add(label)
    found: dict[str, set[str]] = defaultdict(set)
    for term, name, thing in session.run("history", "relying", (derived, terms)):
        labels = above.get(str(thing), set())
        if str(thing) in changed_terms and str(thing) != str(term):
            labels = labels | {changed_terms[str(thing)]}
        found[str(name)] |= labels
    rows = [(name, len(labels), ", ".join(sorted(labels))) for name, labels in found.items() if labels]
    return tuple(sorted(rows, key=lambda row: (-row[1], row[0])))
