"""Make an authority file from the histories in a store, or extend one with them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from ...ontology import Iris, QueryFiles, RulesMissingError, UsageError, grouped
from ..editions import EditionInfo, editions_in
from ..given import read_whole
from ..linking.across import rule_texts
from ..store.protocol import Queryable, text_rows
from .authority import (
    SAME_NUMBER,
    Authority,
    AuthorityRow,
    Doubt,
    Text,
    TextRow,
    Wording,
    text_of,
    wording_of,
)
from .items import CHANGES, DOUBT, PARTING, Change, ChangeKind, Item
from .likeness import likenesses
from .tenures import Successor

_QUERIES = QueryFiles.beside(__name__)

_ID = re.compile(r"P[0-9a-f]+")
_Said = TypeVar("_Said")
_SIGNATURE = re.compile(r"[A-Za-z0-9+/]{43}")


@dataclass(frozen=True)
class EditionRules:
    """The rules of one edition, and what happened to those of the previously loaded edition.

    `origin` maps a number to the previous one, `doubtful` to its confidence if that is low. `parted` are
    (number before, number after) of what was split off, then of what was merged; `renamed` are (name before,
    name after). `texts` are its examples and the paragraphs of its glossary.
    """

    edition: str
    wordings: Sequence[Wording]
    origin: Mapping[str, str] = field(default_factory=dict)
    doubtful: Mapping[str, float] = field(default_factory=dict)
    parted: Sequence[tuple[str, str]] = ()
    renamed: Sequence[tuple[str, str]] = ()
    texts: frozenset[Text] = frozenset()


def read_authority(path: str | Path | None) -> Authority:
    """Return the authority file at a path; an empty one for None.

    Raises `UsageError` if it cannot be read or is not one.
    """
    if path is None:
        return Authority()
    way_out = "Give a file written by `rulesgraph authority`."
    try:
        found = Authority.read(read_whole(path).decode("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError("the authority file cannot be read", where=str(path), way_out=way_out) from error
    if not found.editions:
        raise UsageError("the authority file covers no edition", where=str(path), way_out=way_out)
    covered = {*found.editions}
    for row in found.rows:
        whole = _ID.fullmatch(row.provision) and _SIGNATURE.fullmatch(row.wording.signature)
        if not whole or not {row.first, row.last} <= covered or row.first > row.last:
            told = f"the authority file is damaged: a row of {row.provision}, number {row.wording.number}"
            raise UsageError(told, where=str(path), way_out=way_out)
    return found


def rules_in(store: Queryable, iris: Iris) -> list[EditionRules]:
    """Return the editions of the comprehensive rules in a store, oldest first.

    Raises `RulesMissingError` when there is none.
    """
    found = [_rules(store, iris, info) for info in editions_in(store, iris).values() if info.is_rules]
    if not found:
        raise RulesMissingError
    return found


def _rules(store: Queryable, iris: Iris, info: EditionInfo) -> EditionRules:
    items = []
    texts: set[Text] = set()
    for document in sorted(info.documents):
        graph = iris.document(document)
        items += [Item(rule, iris.parse(rule).name, words) for rule, words in rule_texts(store, graph)]
        parts = text_rows(store, _QUERIES.bound("part_texts", {"graph": [graph]}))
        texts |= {text_of(*row) for row in parts}
    query = _QUERIES.bound("links", {"graph": [iris.history(info.edition)]})
    changes = [
        Change(CHANGES[link], old, new, float(sure or 1)) for new, link, old, sure in text_rows(store, query)
    ]
    given = {"graph": [iris.history(info.edition)], "terms": [iris.graph("terms")]}
    renamed = [(old, new) for old, new in text_rows(store, _QUERIES.bound("renamings", given))]
    found = rules_of(info.edition, items, changes, iris)
    return replace(found, renamed=renamed, texts=frozenset(texts))


def rules_of(edition: str, items: Sequence[Item], changes: Iterable[Change], iris: Iris) -> EditionRules:
    """Return the rules among an edition's items, with the changes since the previously loaded edition."""
    wordings = tuple(wording_of(iris.parse(item.iri).name, item) for item in items if not item.is_entry)
    origin: dict[str, str] = {}
    doubtful: dict[str, float] = {}
    parted = []
    for change in sorted(changes, key=lambda change: change.kind is ChangeKind.MERGED):
        if not change.old or not change.new or iris.parse(change.new).kind != "rule":
            continue
        old, new = (iris.parse(iri).name for iri in (change.old, change.new))
        if change.kind in PARTING:
            parted.append((old, new))
        else:
            origin[new] = old
            if change.confidence < DOUBT:
                doubtful[new] = change.confidence
    return EditionRules(edition, wordings, origin, doubtful, tuple(parted))


def new_id(edition: str, number: str) -> str:
    """Return the id of a rule that no file knows, made from the first place in which it was seen.

    The same rule seen there always gets this id, and no other rule does.
    """
    return f"P{sha256(f'{edition}/{number}'.encode()).hexdigest()[:10]}"


def extended(authority: Authority, loaded: Sequence[EditionRules]) -> Authority:
    """Return the file extended by the loaded editions that it did not cover; existing rows stay.

    A rule of a new edition gets the id that the file gives it; else that of the rule that it continues, or
    that continues it in the next loaded edition; else a new one. Retired names count if they were retired
    between neighbours: if the file covers an edition in between, it knows the time better.
    """
    names = _by_edition(authority)
    rules = {edition: _wordings(authority, edition) for edition in authority.editions}
    texts = _texts(authority)
    replaced, doubtful = list(authority.replaced), list(authority.doubtful)
    renamed = {(it.old, it.new): it for it in authority.renamed}
    for former, it, follower in zip((None, *loaded), loaded, (*loaded[1:], None), strict=False):
        earlier = former.edition if former else ""
        between = any(earlier < covered < it.edition for covered in authority.editions)
        for old, new in () if between else it.renamed:
            told = renamed.setdefault((old, new), Successor(old, new, it.edition))
            renamed[old, new] = min(told, told._replace(since=it.edition))
        if it.edition in names:
            continue
        given = authority.provisions(it.edition, it.wordings)
        provisional = [w.number for w in it.wordings if w.number not in given]
        before = names.get(earlier, {})
        after = names.get(follower.edition, {}) if follower else {}
        forward = {old: new for new, old in follower.origin.items()} if follower else {}
        used = set(given.values())
        for number in provisional:
            for candidate in (before.get(it.origin.get(number, "")), after.get(forward.get(number, ""))):
                if candidate and candidate not in used:
                    break
            else:
                candidate = new_id(it.edition, number)
            given[number] = candidate
            used.add(candidate)
        if authority.editions:
            replaced += [Successor(f"{it.edition}/{n}", given[n], it.edition) for n in provisional]
        names[it.edition] = given
        rules[it.edition] = list(it.wordings)
        texts[it.edition] = it.texts
        doubtful += [Doubt(given[new], it.edition, str(sure)) for new, sure in it.doubtful.items()]
        for old, new in it.parted:
            if old in before and before[old] != given[new]:
                replaced.append(Successor(before[old], given[new], it.edition))
    editions = tuple(sorted(names))
    return Authority(
        editions,
        tuple(_rows(editions, rules, names)),
        tuple(dict.fromkeys(replaced)),
        tuple(sorted(renamed.values(), key=lambda it: (it.since, it.old))),
        authority.corrected,
        tuple(_text_rows(editions, texts)),
        authority.withdrawn,
        tuple(doubtful),
    )


def merged(one: Authority, other: Authority) -> Authority:
    """Return two files that extend the same file.

    If each gave its own id to a rule that both saw, in different editions, that of `one` stays, and a row
    says that it replaced the other. For editions that both cover, `one` decides.

    Raises `UsageError` for forks: an id that means different rules in the two files.
    """
    _refuse_forks(one, other)
    ours = {row.provision for row in one.rows}
    theirs = {row.provision for row in other.rows}
    names, rules = _by_edition(one), {it: _wordings(one, it) for it in one.editions}
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for edition, told in _by_edition(other).items():
        wordings = _wordings(other, edition)
        known = names.get(edition) or one.provisions(edition, wordings)
        for number, provision in told.items():
            candidate = known.get(number, "")
            # Ids in both files identify their provisions.
            if provision not in ours and candidate and candidate not in theirs:
                votes[provision][candidate] += 1
        if edition not in names:
            names[edition], rules[edition] = told, wordings
    standing = grouped((it, edition) for edition, told in names.items() for it in told.values())
    stays: dict[str, str] = {}
    taken: set[str] = set()
    for provision, found in sorted(votes.items()):
        for candidate, _ in found.most_common():
            if candidate not in taken and {*standing[provision]}.isdisjoint(standing[candidate]):
                stays[provision] = candidate
                taken.add(candidate)
                break
    names = {edition: {n: stays.get(it, it) for n, it in told.items()} for edition, told in names.items()}
    first = {row.provision: row.first for row in reversed(other.rows)}
    editions = tuple(sorted(names))
    joined = [Successor(old, new, first[old]) for old, new in stays.items()]
    latest_first = sorted((*one.renamed, *other.renamed), key=lambda it: it.since, reverse=True)
    renamed = {(it.old, it.new): it for it in latest_first}
    withdrawn = dict.fromkeys((*one.withdrawn, *other.withdrawn))
    wrong = {(it.old, it.new) for it in withdrawn}
    replaced = (it for it in (*one.replaced, *other.replaced, *joined) if (it.old, it.new) not in wrong)
    return Authority(
        editions,
        tuple(_rows(editions, rules, names)),
        tuple(dict.fromkeys(replaced)),
        tuple(sorted(renamed.values(), key=lambda it: (it.since, it.old))),
        tuple(dict.fromkeys((*one.corrected, *other.corrected))),
        tuple(_text_rows(editions, {**_texts(other), **_texts(one)})),
        tuple(withdrawn),
        tuple(dict.fromkeys((*one.doubtful, *other.doubtful))),
    )


def _by_edition(authority: Authority) -> dict[str, dict[str, str]]:
    """Return edition → number → provision."""
    return {it: {n: row.provision for n, row in authority.rules_of(it).items()} for it in authority.editions}


def _wordings(authority: Authority, edition: str) -> list[Wording]:
    return [row.wording for row in authority.rules_of(edition).values()]


def _refuse_forks(one: Authority, other: Authority) -> None:
    """Raise `UsageError` if an id means different rules in the two files."""
    ours, theirs = (grouped((row.provision, row) for row in it.rows) for it in (one, other))
    for provision in sorted(ours.keys() & theirs.keys()):
        words = {row.wording.checksum for row in ours[provision]}
        if any(row.wording.checksum in words for row in theirs[provision]):
            continue
        pairs = [
            (a.wording.signature, b.wording.signature) for a in ours[provision] for b in theirs[provision]
        ]
        if max(likenesses(pairs)) < SAME_NUMBER:
            here, there = ours[provision][0], theirs[provision][0]
            raise UsageError(
                f"the files are forks: {provision} is {here.wording.number} of {here.first} in one and "
                f"{there.wording.number} of {there.first} in the other, which are different rules",
                way_out="Merge files that extend the same one with this version of rulesgraph.",
            )


def _rows(
    editions: Sequence[str], rules: Mapping[str, Sequence[Wording]], names: Mapping[str, Mapping[str, str]]
) -> Iterator[AuthorityRow]:
    """Yield the rows, each over all neighbouring editions that agree."""
    said = {it: [(names[it][wording.number], wording) for wording in rules[it]] for it in editions}
    runs = sorted(_runs(editions, said), key=lambda it: (it[0][0], it[1], it[0][1].number))
    for (provision, wording), _, first, last in runs:
        yield AuthorityRow(provision, wording, first, last)


def _text_rows(editions: Sequence[str], texts: Mapping[str, Iterable[Text]]) -> Iterator[TextRow]:
    for text, _, first, last in sorted(_runs(editions, texts)):
        yield TextRow(text, first, last)


def _texts(authority: Authority) -> dict[str, Iterable[Text]]:
    parts = {it: authority.texts_of(it) for it in authority.editions}
    return {edition: [it for it in texts if it.kind != "rule"] for edition, texts in parts.items()}


def _runs(
    editions: Sequence[str], said: Mapping[str, Iterable[_Said]]
) -> Iterator[tuple[_Said, list[int], str, str]]:
    """Yield what editions say, with all places, over all neighbouring editions that agree."""
    for it, places in grouped((it, n) for n, edition in enumerate(editions) for it in said[edition]).items():
        start = previous = places[0]
        for place in [*places[1:], len(editions) + 1]:
            if place != previous + 1:
                yield it, places, editions[start], editions[previous]
                start = place
            previous = place
