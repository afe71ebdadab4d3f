"""Make questions with exact answers from an edition; the same seed gives the same questions anywhere.

Nothing is random: the candidates of each kind are sorted by a hash of the seed and their names, and the kinds
take turns. So if you ask for ten questions, you get the first ten of a hundred.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from itertools import islice, pairwise

from ...loaders.language.numbers import order, wholes
from ...ontology import RG, SKOS, Json, grouped
from ..history.links import place_in, steps, timeline
from ..session import Session, check_limit


class EditionLinks:
    """The content of one edition of the comprehensive rules, by number.

    Raises `UsageError` if no such edition is loaded or the named one is of another kind, and
    `UnknownNameError` if it is not loaded.
    """

    def __init__(self, session: Session, edition: str | None = None) -> None:
        loaded = timeline(session)
        place = place_in(loaded, edition, session) if edition else len(loaded) - 1
        self.edition = loaded[place]
        self.before = loaded[place - 1] if place else None
        self._session = session
        iris = session.iris
        document = iris.document(self.edition.documents[0].id)
        self._graphs = (document, iris.derived(self.edition.id))
        self._terms = iris.graph("terms")

    @cached_property
    def _number_of(self) -> Mapping[str, str]:
        """IRI → number, for each rule in the document."""
        standing = dict(self._session.pairs(self._graphs[:1], RG.firstLine))
        numbers = self._session.pairs(self._graphs[:1], SKOS.notation)
        parse = self._session.iris.parse
        return {it: number for it, number in numbers if it in standing and parse(it).kind == "rule"}

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """The numbers of all rules, sorted."""
        return tuple(sorted({*self._number_of.values()}, key=order))

    @cached_property
    def _own(self) -> Mapping[str, list[str]]:
        """Rule → what it cites itself."""
        number, cites = self._number_of, self._session.pairs(self._graphs, RG.cites)
        return grouped(sorted({(number[a], number[b]) for a, b in cites if a in number and b in number}))

    @cached_property
    def cites(self) -> dict[str, frozenset[str]]:
        """Rule → what it or a part of it cites, except itself and its own parts."""
        found: dict[str, set[str]] = defaultdict(set)
        for citing, cited in self._own.items():
            for whole in wholes(citing):
                found[whole] |= {it for it in cited if whole not in wholes(it)}
        return {number: frozenset(cited) for number, cited in found.items() if cited}

    @cached_property
    def cited_by(self) -> dict[str, frozenset[str]]:
        """Rule → the rules that cite it, except itself and its parts."""
        own = ((citing, it) for citing, cited in self._own.items() for it in cited)
        found = grouped((it, citing) for citing, it in own if it not in wholes(citing))
        return {number: frozenset(citing) for number, citing in found.items()}

    @cached_property
    def _definitions(self) -> tuple[tuple[str, str], ...]:
        """Name of a term → the rules that define it."""
        number, names = self._number_of, dict(self._session.pairs((self._terms,), SKOS.prefLabel))
        defined = self._session.pairs(self._graphs, RG.definedBy)
        found = sorted({(names[term], term, number[it]) for term, it in defined if it in number})
        return tuple((name, rule) for name, _, rule in found)

    @cached_property
    def defined_by(self) -> dict[str, str]:
        """Name of a term → the rule that defines it, without terms that several rules define."""
        found = grouped(dict.fromkeys(self._definitions))
        return {name: numbers[0] for name, numbers in found.items() if len(numbers) == 1}

    @cached_property
    def defines(self) -> dict[str, frozenset[str]]:
        """Rule → the names of the terms that it defines."""
        found = grouped((number, name) for name, number in self._definitions)
        return {number: frozenset(names) for number, names in found.items()}

    @cached_property
    def moved(self) -> dict[str, str]:
        """Previous number → number, for each rule that was renumbered but not reworded."""
        if self.before is None:
            return {}
        found: dict[str, set[str]] = defaultdict(set)
        iris = self._session.iris
        for step in steps(self._session, self.edition.id):
            old, new = iris.parse(step.item), iris.parse(step.other)
            if old.kind == "rule" and step.change.value == "renumbered" and old.key != new.key:
                found[old.key].add(new.key)
        return {old: next(iter(new)) for old, new in found.items() if len(new) == 1}


def in_order(numbers: Iterable[str]) -> tuple[str, ...]:
    """Return rule numbers in the order of the rules."""
    return tuple(sorted(numbers, key=order))


_MOST = 8
"""The number of answers above which a question is left out: nobody would give them all."""

_INVENTED = (
    "Quillbrand Oathmark Tidewarp Emberlock Duskweave Thornveil Runecask Mirrorstep Gloomtide Starhusk"
    " Windlatch Bonewhistle"
).split()
"""Invented names that no rule defines; one that an edition should ever define is skipped."""

_MOVED = "renumbered to"
_DEFINES = "Which rule defines {term}?"
_SENDS = "To which other rules does rule {number}, with its parts, send its reader?"


ChainStep = tuple[str, str, str]
"""One step of a chain: from a term or rule, by a link, to a term or rule."""


@dataclass(frozen=True, slots=True)
class RulesQuestion:
    """A question with its gold.

    `answer` has rule numbers or names of terms (`asks` says which), or nothing if the question cannot be
    answered. `rules` are the rules of the edition behind a good answer; `chain` has the links from the
    question to the answer.
    """

    id: str
    kind: str
    hops: int
    question: str
    asks: str
    answerable: bool
    answer: tuple[str, ...]
    rules: tuple[str, ...]
    chain: tuple[ChainStep, ...]
    edition: str

    def record(self) -> dict[str, Json]:
        """Return the question as an object of JSON."""
        chain: list[Json] = [list(step) for step in self.chain]
        return {**asdict(self), "answer": [*self.answer], "rules": [*self.rules], "chain": chain}


_Draft = tuple[int, str, str, tuple[str, ...], tuple[ChainStep, ...]]
"""A question before it has its place: hops, its text, what it asks for, the answer, and the chain to it."""


def make(known: EditionLinks, seed: int, count: int) -> list[RulesQuestion]:
    """Return `count` questions, at least one; fewer if the edition does not have that many."""
    check_limit(count)
    return list(islice(_taking_turns(known, seed), count))


def _taking_turns(known: EditionLinks, seed: int) -> Iterator[RulesQuestion]:
    makers = {name: iter(_drafts(maker, known, seed, name)) for name, maker in KINDS.items()}
    place = 0
    while makers:
        for name in list(makers):
            draft = next(makers[name], None)
            if draft is None:
                del makers[name]
                continue
            place += 1
            yield _finished(draft, name, f"{known.edition.id}/{seed}/{place}", known)


def _finished(draft: _Draft, kind: str, identifier: str, known: EditionLinks) -> RulesQuestion:
    hops, text, asks, answer, chain = draft
    ends = {end for _, _, end in chain}
    ends |= {start for start, link, _ in chain if link != _MOVED}
    return RulesQuestion(
        id=identifier,
        kind=kind,
        hops=hops,
        question=f"By the rules of {known.edition.issued}: {text}",
        asks=asks,
        answerable=bool(answer),
        answer=answer,
        rules=in_order(it for it in ends if it[0].isdigit()),
        chain=chain,
        edition=known.edition.id,
    )


Maker = tuple[Callable[[EditionLinks], Iterable[str]], Callable[[EditionLinks, str], _Draft | None]]
"""The source of a kind and how it is used: candidates by name, and the draft for one, if it is good."""


def _drafts(maker: Maker, known: EditionLinks, seed: int, kind: str) -> Iterator[_Draft]:
    candidates, draft = maker

    def key(name: str) -> bytes:
        return hashlib.sha256(f"{seed}\n{kind}\n{name}".encode()).digest()

    for name in sorted(candidates(known), key=key):
        made = draft(known, name)
        if made is not None and len(made[3]) <= _MOST:
            yield made


# -- one hop ----------------------------------------------------------------------------------------


def _defining(it: EditionLinks, term: str) -> _Draft:
    number = it.defined_by[term]
    return 1, _DEFINES.format(term=term), "rules", (number,), ((term, "defined by", number),)


def _cited(it: EditionLinks, number: str) -> _Draft:
    found = in_order(it.cites[number])
    chain = tuple((number, "cites", other) for other in found)
    return 1, _SENDS.format(number=number), "rules", found, chain


def _citing(it: EditionLinks, number: str) -> _Draft:
    found = in_order(it.cited_by[number])
    chain = tuple((other, "cites", number) for other in found)
    return 1, f"Which rules outside of rule {number} cite it by its number?", "rules", found, chain


def _renumbered(it: EditionLinks, old: str) -> _Draft | None:
    if it.before is None:
        return None
    new = it.moved[old]
    text = f"Under which number does rule {old} of {it.before.issued} stand, word for word?"
    return 1, text, "rules", (new,), ((old, _MOVED, new),)


# -- two hops and more ------------------------------------------------------------------------------


def _cited_by_definition(it: EditionLinks, term: str) -> _Draft | None:
    text = f"Which other rules does the rule that defines {term} cite, its parts included?"
    return _on_from_definition(it, term, _cited, it.cites, text)


def _citing_definition(it: EditionLinks, term: str) -> _Draft | None:
    text = f"From which rules is a reader sent to the very rule that defines {term}?"
    return _on_from_definition(it, term, _citing, it.cited_by, text)


def _on_from_definition(
    it: EditionLinks, term: str, hop: Callable[[EditionLinks, str], _Draft], known: Container[str], text: str
) -> _Draft | None:
    """Follow one step from the rule of a term, if that rule is among those `known` to have one."""
    number = it.defined_by[term]
    if number not in known:
        return None
    _, _, asks, answer, chain = hop(it, number)
    return 2, text, asks, answer, ((term, "defined by", number), *chain)


def _over_citations(it: EditionLinks, term: str, times: int, terms: bool) -> _Draft | None:
    """Follow one or two citations from the rule of a term, to rules or to these rules' terms."""
    number = it.defined_by[term]
    chain = [(term, "defined by", number)]
    found: set[str] = set()
    for way in _ways(it, number, times):
        end = way[-1]
        names = it.defines.get(end, frozenset()) - {term} if terms else frozenset({end})
        if names:
            chain += [(citing, "cites", cited) for citing, cited in pairwise(way)]
            chain += [(end, "defines", name) for name in sorted(names)] if terms else []
            found |= names
    if not found:
        return None
    cited = f"that the rule defining {term} cites"
    text = f"Which other terms are defined by rules {cited}, its parts included?"
    if times > 1:
        cited = f"are cited in rules {cited} (each with its parts)"
        text = f"Which other terms are defined by rules that {cited}?" if terms else f"Which rules {cited}?"
    answer = tuple(sorted(found)) if terms else in_order(found)
    return times + terms + 1, text, "terms" if terms else "rules", answer, tuple(dict.fromkeys(chain))


def _ways(it: EditionLinks, number: str, times: int) -> Iterator[tuple[str, ...]]:
    """Yield the rules on each path of this many citations."""
    if not times:
        yield (number,)
    for cited in in_order(it.cites.get(number, ())) if times else ():
        yield from ((number, *way) for way in _ways(it, cited, times - 1))


# -- unanswerable questions ------------------------------------------------------------------------


def _missing_numbers(it: EditionLinks) -> list[str]:
    """Return numbers after the last part of a rule, which no rule of the edition has."""
    known = set(it.numbers)
    rules = [number for number in it.numbers if "." in number and number[-1].isdigit()]
    return [f"{number}z" for number in rules if f"{number}z" not in known]


def _missing(_: EditionLinks, number: str) -> _Draft:
    return 1, _SENDS.format(number=number), "rules", (), ()


def _undefined(_: EditionLinks, name: str) -> _Draft:
    return 1, _DEFINES.format(term=name), "rules", (), ()


def _left_numbers(it: EditionLinks) -> list[str]:
    """Return numbers of the previous edition that no longer exist."""
    return [old for old in it.moved if old not in set(it.numbers)]


KINDS: dict[str, Maker] = {
    "defining rule": (lambda it: it.defined_by, _defining),
    "cited rules": (lambda it: it.cites, _cited),
    "cited by definition": (lambda it: it.defined_by, _cited_by_definition),
    "no such rule": (_missing_numbers, _missing),
    "citing rules": (lambda it: it.cited_by, _citing),
    "terms cited": (lambda it: it.defined_by, partial(_over_citations, times=1, terms=True)),
    "new number": (lambda it: it.moved, _renumbered),
    "citing definition": (lambda it: it.defined_by, _citing_definition),
    "cited twice": (lambda it: it.defined_by, partial(_over_citations, times=2, terms=False)),
    "no such term": (lambda it: sorted(set(_INVENTED) - set(it.defined_by)), _undefined),
    "terms cited twice": (lambda it: it.defined_by, partial(_over_citations, times=2, terms=True)),
    "number given up": (_left_numbers, _missing),
}
"""The kinds of questions, in the order in which they take turns."""
