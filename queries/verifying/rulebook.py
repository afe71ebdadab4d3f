"""Look up the rules of one edition by number, title and text, to compare citations with them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from ...loaders.history.lives import Lives, bundled_lives
from ...loaders.language.numbers import parent, wholes
from ...loaders.language.words import sentences, wording
from ...loaders.reading.references import find_references
from ...loaders.records import TargetKind
from ...ontology import RG, SKOS, grouped, slug
from ..finding.provisions import rules_of_provision
from ..session import Edition, Session, with_history
from .meanings import Meanings, NumberMeaning
from .topics import Stems, Topics, rule_words

_ELISION = re.compile(r"\[[^\[\]]{0,60}\]|\.{3,}|(?:\. ){2,}\.")
_QUOTES = str.maketrans({'"': "'", "«": "'", "»": "'", "\ufffd": "'"})
_EDGE, _OBSOLETE = " .,;:!?'()[]*|-", " (Obsolete)"

_OPENING = 8
"""The number of words that show which rule is meant."""

_AROUND_WORDS = re.compile(r"(?<!\w)'+|'+(?!\w)")
"""Quotation marks, which are left out of quotations, but not apostrophes."""


def folded(text: str) -> str:
    """Return a common form for copies of the same words, whatever their case, quotes, dashes and emphasis.

    >>> folded("A “lit”  Lantern")
    'a lit lantern'
    """
    plain = wording(text.replace("«", '"').replace("»", '"')).translate(_QUOTES).casefold()
    return _AROUND_WORDS.sub("", plain) if "'" in plain else plain


def pieces(quote: str) -> tuple[str, ...]:
    """Return the folded pieces of a quotation, cut where words were left out or put in brackets.

    >>> pieces("The keeper … may light [one] lantern.")
    ('the keeper', 'may light', 'lantern')
    """
    parts = (part.strip(_EDGE) for part in _ELISION.split(folded(quote)))
    return tuple(part for part in parts if part)


def holds(text: str, parts: tuple[str, ...]) -> bool:
    """Return whether a folded text contains the pieces of a quotation, as whole words, in order.

    >>> holds("the older keeper may light a lantern", ("keeper", "light a lantern"))
    True
    >>> holds("the older keeper may light a lantern", ("keep",))
    False
    """
    place = 0
    for part in parts:
        found = _whole(text, part, place)
        if found < 0:
            return False
        place = found + len(part)
    return True


def _whole(text: str, part: str, place: int) -> int:
    """Return the next position of `part` in `text` as whole words, or -1."""
    while (found := text.find(part, place)) >= 0:
        end = found + len(part)
        begins = found == 0 or not (text[found - 1].isalnum() and part[0].isalnum())
        ends = end == len(text) or not (text[end].isalnum() and part[-1].isalnum())
        if begins and ends:
            return found
        place = found + 1
    return -1


def word_count(parts: tuple[str, ...]) -> int:
    """Return the number of words in the pieces of a quotation."""
    return sum(len(part.split()) for part in parts)


class Numbered(NamedTuple):
    """A numbered thing: `texts` are its words and its examples, `iri` is its first node."""

    iri: str
    title: str
    texts: tuple[str, ...]


@dataclass(eq=False, repr=False)
class Book:
    """The numbers of an edition, with their `titles`, in order: number → title, ``""`` for none.

    `meanings` is what numbers have ever meant, `topics` what the rules are about, `relied` how often rules
    cite each. `whole` is true for an edition of the comprehensive rules: a missing number does not exist.
    """

    name: str
    whole: bool
    titles: Mapping[str, str]
    meanings: Meanings
    topics: Topics
    relied: Mapping[str, int]

    def where(self, number: str, parts: tuple[str, ...]) -> str:
        """Return which of a rule, its parts and the rules above it has quoted words; ``""`` for none."""
        return ""

    def then(self, number: str, meaning: NumberMeaning) -> str:
        """Return the words of a number with an older meaning; ``""`` if they are unknown."""
        return ""

    def opening(self, number: str) -> str:
        """Return the first words of a rule; ``""`` if they are unknown."""
        return ""

    def titles_of(self, number: str) -> list[str]:
        """Return the titles of a rule and the rules above it, the nearest first."""
        return [*filter(None, (self.titles.get(it) for it in (number, *above(number))))]

    @cached_property
    def by_title(self) -> dict[str, list[str]]:
        """Title, as `title_key` gives it → the numbers that have it."""
        return grouped((title_key(title), number) for number, title in self.titles.items() if title)

    @cached_property
    def below(self) -> dict[str, list[str]]:
        """Number → the numbers of all its parts, at any level."""
        return grouped((one, number) for number in self.titles for one in above(number))

    @cached_property
    def children(self) -> dict[str, list[str]]:
        """Number → the numbers directly below it."""
        return grouped((one, number) for number in self.titles for one in [*above(number)][:1])


class Rulebook(Book):
    """All numbered things of a loaded edition, with their words; what makes a `Book` is read when needed."""

    def __init__(self, session: Session, edition: Edition) -> None:
        self.name, self.whole, self.edition = edition.id, edition.has_history, edition
        self._session = session
        self._having = lru_cache(10_000)(  # a text may quote the same words repeatedly
            lambda parts: tuple(it for it in self.items if holds(self.folded[it], parts))
        )
        self._known: dict[str, list[tuple[str, str, str]]] = {}
        self._read: dict[str, list[tuple[str, str]]] = {}
        self._documents = [session.iris.document(it.id) for it in edition.documents]

    @cached_property
    def titles(self) -> Mapping[str, str]:  # type: ignore[override]
        """Number → title, in the order of the documents; read when needed."""
        return {number: it.title for number, it in self.items.items()}

    @cached_property
    def items(self) -> dict[str, Numbered]:
        """Number → everything about it, in the order of the documents; not those within a glossary entry."""
        texts: dict[str, list[str]] = defaultdict(list)
        first: dict[str, tuple[str, str]] = {}
        rows = self._session.run("verifying", "numbered", self._documents, kept=True)
        for number, item, title, text, _ in rows:
            if not self.whole or self._session.iris.parse(str(item)).kind != "entry":
                first.setdefault(str(number), (str(item), str(title or "")))
                texts[str(number)] += [str(text)] if text else []
        return {number: Numbered(*about, tuple(texts[number])) for number, about in first.items()}

    @cached_property
    def entries(self) -> dict[str, str]:
        """The glossary: title of an entry → its words."""
        rows = self._session.run("history", "entries", self._documents, kept=True) if self.whole else ()
        told = grouped((str(title), str(text)) for _, title, text in rows if text)
        return {title: "\n".join(texts) for title, texts in told.items()}

    @cached_property
    def obsolete(self) -> list[tuple[str, str, str]]:
        """The obsolete terms in the glossary: the name, then folded, and the words of the entry, folded."""
        told = ((it.removesuffix(_OBSOLETE), text) for it, text in self.entries.items() if _OBSOLETE in it)
        return [(name, folded(name), folded(text)) for name, text in told]

    def entry_with(self, parts: tuple[str, ...], titles: Iterable[str] = ()) -> str:
        """Return the title of an entry, among `titles` if given, that has these quoted words; or ``""``."""
        return next((it for it in titles or self.entries if holds(self.folded[it], parts)), "")

    @cached_property
    def topics(self) -> Topics:  # type: ignore[override]
        """The subjects of the rules, to compare with the words beside citations."""
        stemmer = Stems()
        texts = {number: (it.title, it.texts) for number, it in self.items.items()}
        return Topics(rule_words(texts, stemmer), stemmer, self.names_of_terms)

    @cached_property
    def names_of_terms(self) -> list[tuple[str, str]]:
        """The names of terms, each with a rule that defines it or that its entry cites."""
        iris, scope = self._session.iris, self._session.scope(self.name)
        term_of = dict(self._session.pairs(scope, RG.defines))
        cited = self._session.pairs(scope, RG.cites)
        cites = ((term_of.get(iris.iri(iris.parse(it).whole), ""), rule) for it, rule in cited)
        held = [*self._session.pairs(scope, RG.definedBy), *(it for it in cites if it[0])]
        names = grouped(self._session.pairs((iris.graph("terms"),), SKOS.prefLabel, SKOS.altLabel))
        places = ((term, iris.parse(rule)) for term, rule in dict.fromkeys(held))
        return [(name, it.key) for term, it in places if it.kind == "rule" for name in names.get(term, ())]

    @cached_property
    def meanings(self) -> Meanings:  # type: ignore[override]
        """Everything that numbers have ever meant, as seen from this edition."""
        if not self.whole:
            return Meanings(Lives(""), self.name, (), {})
        others = {
            it.id: (self if it.id == self.name else Rulebook(self._session, it))._provisions()
            for it in with_history(self._session.editions())
            if it.id not in bundled_lives().editions
        }
        return Meanings(bundled_lives(), self.name, self.titles.keys(), others)

    @cached_property
    def relied(self) -> Mapping[str, int]:  # type: ignore[override]
        """Number → how often the edition's rules cite it."""
        cited = (it for item in self.items.values() for text in item.texts for it in find_references(text))
        return Counter(target.key for it in cited for target in it.targets if target.kind is TargetKind.RULE)

    def _provisions(self) -> dict[str, str]:
        """Return number → the id of its provision; an id that only one edition knows contains its id."""
        iris = {it.iri: number for number, it in self.items.items()}
        parse = self._session.iris.parse
        found = ((iris[rule], parse(it)) for rule, it in self._session.pairs(None, RG.provision, of=iris))
        return {number: f"{it.edition}/{it.name}" if it.edition else it.key for number, it in found}

    def opening(self, number: str) -> str:
        """Return the first words of a rule."""
        words = " ".join(self.items[number].texts[:1]).split()
        return " ".join(words[:_OPENING]) + (" …" if len(words) > _OPENING else "")

    def formerly(self, number: str, parts: tuple[str, ...]) -> str:
        """Return where another edition's version of this rule has these quoted words, or ``""``."""
        found = self.wordings(number)
        return next((f"{then} in {it}" for it, then, text in found if holds(folded(text), parts)), "")

    def wordings(self, number: str) -> list[tuple[str, str, str]]:
        """Return this rule's wordings in loaded editions, newest first: edition, number, words."""
        if number not in self._known:
            pairs, parse = self._session.pairs, self._session.iris.parse
            ids = [parse(it).key for _, it in pairs(None, RG.provision, of=[self.items[number].iri])]
            rules = [it for key in ids for it in rules_of_provision(self._session, key)]
            held = dict(pairs(None, RG.wording, of=[iri for _, iri, _ in rules]))
            texts = dict(pairs(None, RG.text, of=held.values()))
            self._known[number] = [(it, then, texts.get(held.get(iri, ""), "")) for it, iri, then in rules]
        return self._known[number]

    def edition_quoted(self, number: str, parts: tuple[str, ...]) -> str:
        """Return the last older edition whose rule `number` had these words; ``""`` if today's has them."""
        if self.where(number, parts):
            return ""
        rule, older = self._session.iris.rule, (it for it in self._scopes if it < self.name)
        said = ((it, folded(text)) for it in older for text in self._texts(it, rule(it, number)))
        return next((it for it, text in said if holds(text, parts)), "")

    def _texts(self, edition: str, *rules: str) -> list[str]:
        rows = self._session.run("history", "rules", self._scopes[edition], {"rule": rules}, kept=True)
        return [str(text) for *_, text in rows]

    def then(self, number: str, meaning: NumberMeaning) -> str:
        """Return the words of a number's older meaning, and of the rules above it, in a loaded edition."""
        edition = next((it for it in self._scopes if meaning.first <= it <= meaning.last), "")
        rules = [self._session.iris.rule(edition, it) for it in wholes(number)]
        return "\n".join(self._texts(edition, *rules)) if edition else ""

    @cached_property
    def _scopes(self) -> dict[str, list[str]]:
        """Loaded edition → the graphs of its documents."""
        return {it.id: Rulebook(self._session, it)._documents for it in self._session.editions()}

    def with_parts(self, number: str) -> list[str]:
        """Return a number, if the edition has it, with those of all its parts."""
        return [it for it in (number, *self.below.get(number, ())) if it in self.items]

    def family(self, number: str) -> list[str]:
        """Return a number with those of its parts and of the rules above it, if the edition has them."""
        return [*self.with_parts(number), *(it for it in above(number) if it in self.items)]

    def where(self, number: str, parts: tuple[str, ...]) -> str:
        """Return which of a rule, its parts and the rules above it has these quoted words, or ``""``."""
        return next((it for it in self.family(number) if holds(self.folded[it], parts)), "")

    def nearest(self, words: str, numbers: Iterable[str]) -> tuple[float, str, str]:
        """Return the sentence or paragraph of these rules or entries that is most similar to some words.

        Before it are its similarity, at most 100, and the number of its rule or the title of its entry.
        """
        from rapidfuzz import fuzz, process

        held = [(it, *both) for it in numbers if it in self.folded for both in self._texts_of(it)]
        found = process.extractOne(folded(words), [it for _, it, _ in held], scorer=fuzz.ratio)
        return (found[1], held[found[2]][0], held[found[2]][2]) if found else (0.0, "", "")

    def _texts_of(self, number: str) -> list[tuple[str, str]]:
        """Return the paragraphs and sentences of a rule, folded and as printed."""
        if number not in self._read:
            texts = self.items[number].texts if number in self.items else self.entries[number].split("\n")
            told = [*texts, *(text[start:end] for text in texts for start, end in sentences(text))]
            self._read[number] = [(folded(it), it) for it in told]
        return self._read[number]

    def sentences(self, number: str) -> list[str]:
        """Return the sentences of a rule as printed, without its examples."""
        return [text[start:end] for text in self.items[number].texts[:1] for start, end in sentences(text)]

    def anywhere(self, parts: tuple[str, ...]) -> tuple[str, ...]:
        """Return the numbers of everything that has these quoted words."""
        return self._having(parts)

    @cached_property
    def folded(self) -> dict[str, str]:
        """Number or title → the words of a rule or entry, then its examples, as quotations are checked."""
        rules = {number: "\n".join(map(folded, (it.title, *it.texts))) for number, it in self.items.items()}
        return rules | {title: folded(text) for title, text in self.entries.items()}


def above(number: str) -> Iterator[str]:
    """Yield the numbers of the rules above a rule or paragraph, judging by its own, the nearest first."""
    if number[:1].isdigit():
        while len(number) > 1:
            number = parent(number)
            yield number
    elif "." in number and number[-1].isalpha():
        yield number[:-1]


def title_key(title: str) -> str:
    """Return the form in which titles are compared: without case, punctuation and plural s."""
    return slug(title).removesuffix("s")
