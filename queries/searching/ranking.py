"""Score the passages of an edition for a question, and record what each score consists of.

A score counts words (BM25 over several fields), names (a passage mentions or defines a thing), and links:
rules that good candidates cite gain from it, and so, a little, do rules above good candidates. A passage with
most of the question gains, and one about another thing loses.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from math import log, sqrt
from types import MappingProxyType

from ...loaders.indexing.stemmer import stems
from ...ontology import grouped
from . import weights
from .plain_words import ELSEWHERE
from .scores import Amounts, Ranking, Spot, beginnings, beyond, inside, on_variants, opens_list, together
from .terms import Sought, subjects

_RULES = ("rule", "subrule")
_OTHERS = ("entry", "ruling", "paragraph")

_ACTIONS = re.compile(r"^keyword actions$", re.IGNORECASE)
_STEPS = re.compile(r" (?:step|phase)$", re.IGNORECASE)

_MOST_STEMS = 1024
"""The number of words whose worth is cached, since questions share most of theirs."""

_SPEAKING = "SELECT passage FROM mention JOIN term ON term.id = term WHERE slug = ?"
_SPOKEN = "SELECT DISTINCT slug FROM mention JOIN term ON term.id = term WHERE passage IN"
_PHRASE = "SELECT rowid FROM words WHERE words MATCH ?"
_RULES_DEFINING = (
    "SELECT number FROM definition JOIN term ON term.id = term JOIN passage ON passage.id = passage "
    "WHERE slug = ? AND kind IN ('chapter', 'rule', 'subrule') ORDER BY passage"
)
_DEFINING = "SELECT passage FROM definition JOIN term ON term.id = term WHERE slug = ? ORDER BY passage"


class Candidates:
    """The passages of an edition that can be answers, with the data for ranking them."""

    def __init__(self, index: sqlite3.Connection) -> None:
        """Read the passages; one index serves for many rankings."""
        self.index = index
        rows = index.execute("SELECT id, place, kind, number, document, line, parent FROM passage")
        every = {row[0]: Spot(*row[1:]) for row in rows}
        self.count = len(every)
        rules = {it for it, place in every.items() if place.kind in _RULES}
        bare = {it for (it,) in index.execute("SELECT id FROM passage WHERE bare")}
        self.places = {
            it: place
            for it, place in every.items()
            if it not in bare and (it in rules or (place.kind in _OTHERS and (place.number or not rules)))
        }
        self._chapters = {it for it, place in every.items() if place.kind == "chapter"}
        self._rules = rules | self._chapters
        self.numbered = {place.number: it for it, place in reversed(self.places.items())}
        self.timed = inside(index, every, "chapter", _STEPS) & self.places.keys()
        self._actions = inside(index, every, "chapter", _ACTIONS)
        self.variants = on_variants(index, every) & self.places.keys()
        self._damping = self._dampings()
        self._subjects = subjects(index)
        self._distinct_subjects = {own: beginnings(own) for own in self._subjects.values()}
        self.worth = lru_cache(maxsize=_MOST_STEMS)(self._weigh)
        self.speaking = lru_cache(maxsize=_MOST_STEMS)(self._speaking)
        self.cited_by = lru_cache(maxsize=None)(self._cited_by)
        self.matching = lru_cache(maxsize=_MOST_STEMS)(self._matching)

    def _dampings(self) -> dict[str, Amounts]:
        """Return the weight of one occurrence of a word, by field and passage: less in longer fields."""
        fields = list(weights.FIELDS)
        rows = self.index.execute(f"SELECT passage, {', '.join(fields)} FROM size")
        sizes = {it: own for it, *own in rows if it in self.places}
        found: dict[str, Amounts] = {}
        for place, name in enumerate(fields):
            lengths = [own[place] for own in sizes.values() if own[place]] or [1.0]
            usual = sum(lengths) / len(lengths)
            long = weights.LONG[name]
            found[name] = {
                it: weights.FIELDS[name] / (1 - long + long * own[place] / usual) for it, own in sizes.items()
            }
        return found

    def rank(
        self,
        terms: Sequence[Sought],
        bodies: Mapping[str, Sequence[int]] = MappingProxyType({}),
        rules: Sequence[str] = (),
        beside: Mapping[str, float] = MappingProxyType({}),
        *,
        timing: bool = False,
        alone: bool = False,
        aside: bool = True,
        players: Collection[str] = (),
    ) -> Ranking:
        """Return the scores of passages for some words, terms (slug → its body) and rules (by number).

        `beside` has more terms and their weights, where 1 is that of a term in the question. `timing` is true
        if the question asks when, which rules on steps and phases of a turn say. `alone` is true if only one
        thing is named, whose own text then comes first, in order. Without `aside`, rules about other things
        lose nothing. Terms named in `players`' words count less.
        """
        ranking = Ranking()
        if alone:
            rules = [*rules, *(number for slug in bodies for number in self.numbers_defining(slug))]
        named = self._named_by(bodies)
        by_stem: dict[str, Amounts] = defaultdict(dict)
        for term in sorted(terms, key=lambda term: (not term.said, not term.substantial)):
            amounts = self.worth(term.stem)
            if term.weight != 1:
                amounts = {it: term.weight * amount for it, amount in amounts.items()}
            by_stem[term.stem] = amounts
            if term.instead_of:  # both words in a passage say the same thing
                others = [by_stem[stem] for stem in term.instead_of]
                amounts = beyond(amounts, others)
            if not term.substantial:  # such a word alone does not make a passage a candidate
                amounts = {it: amount for it, amount in amounts.items() if it in ranking.totals}
            most = max((amounts.get(it, 0.0) for it in named.get(term.stem, ())), default=0.0)
            if most:  # a name counts the same in all rules about its thing, however often they repeat it
                amounts = amounts | dict.fromkeys(named[term.stem], most)
            for match in term.beside:
                having = self.matching(match)
                amounts = together(amounts, self._each(having, weights.BESIDE * self._rarity(len(having))))
            ranking.add("words", term.word, amounts)
        first = dict(ranking.totals)
        counted: Counter[int] = Counter()
        for it in ranking.best(weights.CITING):
            cited = self.cited_by(it)
            shares = {other: weights.CITED * first[it] / 2 ** counted[other] for other in cited}
            ranking.add("cited", it, shares)
            counted.update(cited)
        for slug, body in bodies.items():
            speaking = self.speaking(slug)
            rarity = self._rarity(len(speaking)) * (weights.PLAIN if slug in players else 1)
            ranking.add("speaks", slug, self._each(speaking, weights.SPEAKS * rarity))
            amount = weights.DEFINES * rarity / sqrt(len(bodies))
            defining = self._each(body, amount)
            later = {it: weights.LATER * amount for it in defining if self._is_later(it)}
            ranking.add("defines", slug, defining | later)
        for slug, weight in beside.items():
            speaking = self.speaking(slug)
            rarity = self._rarity(len(speaking)) * weight
            ranking.add("speaks", slug, self._each(speaking, weights.SPEAKS * rarity))
            ranking.add("defines", slug, self._each(self.body_of(slug), weights.DEFINES * rarity))
        for slug, amounts in self._common_ground(bodies).items():
            ranking.add("shared", slug, amounts)
        for number in rules:
            ranking.add("named", number, self._named(number, alone=alone))
        ranking.add("heads", "", self._lifted(ranking.totals))
        ranking.add("whole", "", self._whole(ranking, terms))
        if aside:
            ranking.add("aside", "", self._aside(ranking, terms))
        if timing:
            timed = {it: weights.TIMED * ranking.totals[it] for it in ranking.totals if it in self.timed}
            ranking.add("timed", "", timed)
        ranking.crowd(lambda it: self.places[it].parent)
        return ranking

    def count_met(self, ranking: Ranking, met: Mapping[str, str]) -> None:
        """Raise the rules, by number, in which abilities of cards meet, with what these share."""
        gained = weights.MET * max(ranking.totals.values(), default=0.0)
        there = {self.numbered[number]: ground for number, ground in met.items() if number in self.numbered}
        for ground in dict.fromkeys(there.values()):
            ranking.add("shared", ground, {it: gained for it, own in there.items() if own == ground})

    def count_cases(self, ranking: Ranking, votes: Mapping[str, float], *, of_cards: bool) -> None:
        """Add the votes of solved cases for rules, by number; they count more if the question names cards."""
        most = max(ranking.totals.values(), default=0.0)
        share = (weights.CASES_OF_CARDS if of_cards else weights.CASES) * most
        there = {self.numbered[it]: share * vote for it, vote in votes.items() if it in self.numbered}
        ranking.add("cases", "", there if share else {})

    def count_list(self, ranking: Ranking) -> Sequence[int]:
        """Put the parts of the best rule right after it if it only introduces a list; return those parts.

        Alone, a rule such as *There are several kinds of lamp* says nothing.
        """
        best = next((it for it in ranking.best(1) if opens_list(self.index, it)), 0)
        totals, parts = ranking.totals, [it for it in self._parts(best) if it in self.places]
        behind = {it: totals[best] * (1 - place / 1000) for place, it in enumerate(parts, start=1)}
        if behind:
            added = {it: amount - totals.get(it, 0.0) for it, amount in behind.items()}
            ranking.add("named", self.places[best].number, added)
        return list(behind)

    def _is_later(self, it: int) -> bool:
        """Return whether a passage is a subrule after the first two, which say what a thing is and does."""
        return self.places[it].kind == "subrule" and not re.search(r"\d[ab]$", self.places[it].number)

    def _named_by(self, bodies: Mapping[str, Sequence[int]]) -> dict[str, list[int]]:
        """Return stem → the rules that define something with that stem in its name."""
        named = ((set(stems(slug.split("-")).values()), body) for slug, body in bodies.items())
        rules = self._rules & self.places.keys()
        return grouped((stem, it) for own, body in named for stem in own for it in body if it in rules)

    def _whole(self, ranking: Ranking, terms: Sequence[Sought]) -> Amounts:
        """Return what passages gain for the words of the question that they have, each by its rarity.

        An opposite counts like the word: a statement about untapped things answers for tapped ones.
        """
        words = ranking.adds["words"]
        instead = {stem: words[it.word] for it in terms if not it.substantial for stem in it.instead_of}
        said = [term for term in terms if term.substantial and term.said]
        having = [words[term.word] | instead.get(term.stem, {}) for term in said]
        rarities = [self._rarity(len(own)) for own in having]
        every = sum(rarities)
        if not any(having):
            return {}
        shares: Amounts = defaultdict(float)
        for own, rarity in zip(having, rarities, strict=True):
            for it in own:
                shares[it] += rarity / every
        return {it: weights.WHOLE * share * ranking.totals[it] for it, share in shares.items()}

    def covered(self, ranking: Ranking, terms: Sequence[Sought], passage: int) -> float:
        """Return the share of a question that a passage has, by rarity, also in the rules' words."""
        words = ranking.adds["words"]
        said = {it.stem: self._rarity(len(words[it.word])) for it in terms if it.substantial and it.said}
        own = [it for it in terms if passage in words[it.word] and it.word != ELSEWHERE]
        having = {stem for it in own for stem in (it.stem, *it.instead_of)}
        return sum(said[stem] for stem in having & said.keys()) / (sum(said.values()) or 1)

    def _aside(self, ranking: Ranking, terms: Sequence[Sought]) -> Amounts:
        """Return what passages lose if their rule is named after something that is not in the question.

        Rules of variants lose if the question has no word that belongs there.
        """
        asked = {term.stem for term in terms if term.said or term.substantial}
        meant = {it for kind in ("defines", "named") for own in ranking.adds[kind].values() for it in own}
        begun = beginnings(asked)
        # Hundreds of passages share a subject.
        off = {
            subject
            for subject, own in self._distinct_subjects.items()
            if own.isdisjoint(asked) and begun.isdisjoint(subject)
        }
        in_variant = any(self.is_of_variants(it.stem) for it in terms if it.said and it.substantial)
        special = frozenset() if in_variant else self.variants
        return {
            it: -total * (weights.ASIDE * (self._subjects.get(it) in off) + weights.VARIANT * (it in special))
            for it, total in ranking.totals.items()
            if it not in meant and (it in special or self._subjects.get(it) in off)
        }

    def is_of_variants(self, stem: str) -> bool:
        """Return whether more than half of the passages with a word are rules of variants."""
        having = self.worth(stem).keys()
        return 2 * len(having & self.variants) > len(having)

    def _matching(self, match: str) -> frozenset[int]:
        """Return the passages whose own text matches an FTS5 query, whatever is above or below them."""
        return frozenset(it for (it,) in self.index.execute(_PHRASE, (f"text : {match}",)))

    def _weigh(self, stem: str) -> Amounts:
        """Return what a word is worth to the passages that have it: BM25, by the length of each field."""
        standing: set[int] = set()
        amounts: Amounts = defaultdict(float)
        rows = self.index.execute(
            "SELECT doc, col, count(*) FROM occurrence WHERE term = ? GROUP BY doc, col", (stem,)
        )
        for it, column, count in rows:
            if column in ("headings", "text"):
                standing.add(it)
            if it in self.places and column in self._damping:
                amounts[it] += count * self._damping[column][it]
        if not standing:
            return {}
        most = _rarity(self.count, len(standing))
        # In thousandths, as in the index for browsers, so that these rank in the same way.
        return {it: round(most * amount / (weights.REPETITION + amount), 3) for it, amount in amounts.items()}

    def _cited_by(self, it: int) -> set[int]:
        """Return the candidates that a passage cites."""
        cited = self.index.execute("SELECT target FROM citation WHERE source = ?", (it,))
        return {self.numbered[number] for (number,) in cited if number in self.numbered}

    def _each(self, passages: Iterable[int], amount: float) -> Amounts:
        return {it: amount for it in passages if it in self.places}

    def _rarity(self, having: int) -> float:
        """Return the weight of something that this number of passages mention."""
        return log(1 + self.count / (having + 1))

    def _speaking(self, slug: str) -> list[int]:
        """Return the passages that mention a term."""
        return [it for (it,) in self.index.execute(_SPEAKING, (slug,))]

    def body_of(self, slug: str, *, noun: bool = False) -> list[int]:
        """Return the passages that define a term or, if none of them is a rule, also those that they cite."""
        defining = [it for (it,) in self.index.execute(_DEFINING, (slug,))]
        if not any(it in self._rules for it in defining):
            cited = {other for it in defining for other in self.cited_by(it)}
            defining += cited if len(cited) == 1 else ()
        # *A counter* is not a keyword action: its entry has several senses.
        others = self._actions if noun and sum(it not in self._rules for it in defining) > 1 else ()
        return sorted({part for it in defining for part in self._body(it) if part not in others})

    def numbers_defining(self, slug: str) -> list[str]:
        """Return the numbers of the rules and chapters that define a term."""
        return [number for (number,) in self.index.execute(_RULES_DEFINING, (slug,))]

    def _named(self, number: str, *, alone: bool) -> Amounts:
        """Return what a named rule and its parts gain; for a chapter named alone, its rules."""
        rows = self.index.execute("SELECT id FROM passage WHERE number = ? AND kind <> 'example'", (number,))
        own = sorted(it for (it,) in rows)
        parts = [part for it in own for part in (self._parts(it) if alone else self._body(it))]
        found = [it for it in dict.fromkeys((*own, *parts)) if it in self.places]
        if alone:
            return {it: weights.NAMED / place for place, it in enumerate(found, start=1)}
        return {it: weights.NAMED / (1 if it in own else 2) for it in found}

    def _common_ground(self, bodies: Mapping[str, Sequence[int]]) -> dict[str, Amounts]:
        """Return the other terms that two or more bodies mention, with what each adds to those."""
        counted: Counter[str] = Counter()
        for body in bodies.values():
            rows = f"{_SPOKEN} ({', '.join('?' * len(body))})"
            counted.update(slug for (slug,) in self.index.execute(rows, tuple(body)))
        within = {it for body in bodies.values() for it in body}
        found = {}
        for slug in sorted(slug for slug, count in counted.items() if count > 1 and slug not in bodies):
            rarity = self._rarity(len(self.speaking(slug)))
            there = within.intersection(self.speaking(slug)) if rarity >= weights.GROUND else ()
            found[slug] = self._each(there, weights.SHARED * rarity)
        return found

    def _body(self, it: int) -> list[int]:
        """Return a passage and its parts; a chapter's parts are about more than its title."""
        return [] if it in self._chapters else [it, *self._parts(it)]

    def _parts(self, it: int) -> list[int]:
        rows = self.index.execute("SELECT id FROM passage WHERE parent = ? ORDER BY id", (it,))
        return [part for (part,) in rows]

    def _lifted(self, totals: Amounts) -> Amounts:
        """Return what the best part of each rule adds to the rule."""
        found: Amounts = {}
        for it, total in totals.items():
            parent = self.places[it].parent
            if parent is not None and parent in self.places:
                found[parent] = max(found.get(parent, 0.0), weights.HEADS * total)
        return found


def _rarity(count: int, having: int) -> float:
    return log(1 + (count - having + 0.5) / (having + 0.5))
