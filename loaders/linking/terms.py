"""Find the terms of an edition in its headings and titles, and the rules that define them.

A rule defines a term

- if its title is the term's name: in the singular or plural, with *The* before it, or with *Variant*,
  *Option* or *Cards* after it;
- if its title begins with the gerund of the name (*Copy*: "Copying Objects"), or with a gerund before the
  name ("Handling Static Abilities"), and the entry cites the rule, and no other title is the name itself;
- if it is the only rule that the entry names, and its words or its title contain the name. If no title is the
  name, the past of the verb counts as well (*Redirect*: "redirected").

A title that is not an entry's name makes a new term, unless several chapters share it ("General" defines
nothing), it reads like a sentence or the heading of a list, or it is in brackets.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...ontology.grouping import grouped
from ...ontology.iris import slug
from ..language.names import either_number, gerunds, plural, singular, title_names
from ..language.numbers import level, parent
from ..language.verbs import verb_of
from ..language.words import words_in
from ..records import Reference, TargetKind

_NOT_A_NAME = re.compile(r"[.:]\s|:$|^[\[(]|\brules?\s+\d", re.IGNORECASE)
_GIVES_A_NAME = re.compile(r'[^.:“"]*\s[“"](?P<name>[^“”"]+?)(?:\.[”"]|[”"]\.)(?:\s|$)')
"""A text whose first sentence gives things a name, in quotation marks at its end."""

NamesOfTerms = dict[str, list[str]]
"""Slug of a term → its names."""


class Terms:
    """The terms of one edition.

    `names` are those of each term; `titled` and `pointed` are the numbers of the rules that define it, by
    their title, or because its entry points to them or to the chapter where they give its name.
    """

    def __init__(
        self,
        headed: Mapping[str, Sequence[str]],
        called: Iterable[str],
        titles: Mapping[str, str],
        entries: Mapping[str, Sequence[Reference]],
        texts: Mapping[str, str],
    ) -> None:
        """Find the terms.

        `headed` are the names of entries by slug, `called` names that texts refer to, `titles` those of rules
        by number, `entries` the references in each term's entry, `texts` the words of rules.
        """
        self.names: NamesOfTerms = {term: list(names) for term, names in headed.items()}
        self._known = _forms(self.names)
        for name in sorted(called):
            if slug(name) not in self._known:
                self._add(slug(name), name)
        self._headed = set(headed)
        self._cited = {term: _rules_cited(references) for term, references in entries.items()}
        self.titled: dict[str, list[str]] = defaultdict(list)
        shared = Counter(slug(title) for number, title in titles.items() if number.isdigit())
        whole = {number: titles[number].strip().rstrip(".,;") for number in sorted(titles)}
        named = {number: title for number, title in whole.items() if title and shared[slug(title)] < 2}
        called = {number: self._called(title) for number, title in named.items()}
        for number, terms in called.items():
            for term in terms:
                self.titled[term].append(number)
        rest = {number: title for number, title in named.items() if not called[number]}
        gerund = self._by_gerund(rest)
        for number, title in rest.items():
            for term in [gerund[number]] if number in gerund else self._new(title):
                self.titled[term].append(number)
        self.pointed = dict([*self._introduced(texts), *self._pointed(titles, texts)])
        self.names = {term: list(dict.fromkeys(names)) for term, names in self.names.items()}

    def term_of(self, name: str) -> str:
        """Return the slug of the term called `name` in this edition."""
        return self._known.get(slug(name)) or self._known.get(slug(singular(name))) or slug(name)

    def _called(self, title: str) -> list[str]:
        """Return the terms named by a title; a longer title becomes another name of theirs."""
        found = list(
            dict.fromkeys(self._known[slug(n)] for n in title_names(title) if slug(n) in self._known)
        )
        if found and slug(title) not in self._known:
            self._add(found[0], title)
        return found

    def _by_gerund(self, titles: Mapping[str, str]) -> dict[str, str]:
        """Return number → term for titles that begin with the gerund of a name, or are one.

        *Restart the Game* is "Restarting the Game". A name of one word needs more evidence: its entry cites
        the rule, and no other rule with such a title. So does a title about an action on such things
        ("Handling Static Abilities").
        """
        by_term: dict[str, list[str]] = defaultdict(list)
        for term in sorted(self._headed):
            if term not in self.titled:
                forms = frozenset[str]().union(*map(gerunds, self.names[term]))
                for number, title in titles.items():
                    small = title.casefold()
                    tells = small.split()[0] in forms or _is_done_to(title, self.names[term])
                    if small in forms or (tells and number in self._cited.get(term, ())):
                        by_term[term].append(number)
        return {places[0]: term for term, places in by_term.items() if len(places) == 1}

    def _new(self, title: str) -> list[str]:
        if _NOT_A_NAME.search(title):
            return []
        self._add(slug(title), title)
        return [slug(title)]

    def _add(self, term: str, name: str) -> None:
        self.names.setdefault(term, []).append(name)
        for form in either_number(name):
            self._known.setdefault(slug(form), term)

    def _pointed(self, titles: Mapping[str, str], texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Yield (term, rule) where the only rule that an entry names contains the term's name.

        That is the glossary's "See rule 102.1." at the end of an entry: the number alone would not be enough,
        because an entry may name a list in which the term is only one item.
        """
        for term, numbers in self._cited.items():
            if len(numbers) == 1 and term in self.names:
                number = numbers[0]
                words = f"{titles.get(number, '')} {texts.get(number, '')}"
                own = self.titled.get(term, ())
                if number not in own and _names_one(words, self.names[term], is_bent=not own):
                    yield term, number

    def _introduced(self, texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Yield (term, rule) where an entry names a chapter, one rule of which begins by giving the name.

        *Aura* refers to *Enchantments*, where one rule begins by saying that some have that subtype.
        """
        giving = grouped(
            ((parent(number), self.term_of(found["name"])), number)
            for number, words in texts.items()
            if level(number) == "rule" and (found := _GIVES_A_NAME.match(words))
        )
        for term, numbers in self._cited.items():
            if term in self.names and not self.titled.get(term):
                rules = [rule for number in numbers for rule in giving.get((number, term), ())]
                if len(rules) == 1:
                    yield term, rules[0]


def _rules_cited(references: Iterable[Reference]) -> tuple[str, ...]:
    targets = (target for reference in references for target in reference.targets)
    return tuple(dict.fromkeys(target.key for target in targets if target.kind is TargetKind.RULE))


def _names_one(words: str, names: Iterable[str], *, is_bent: bool) -> bool:
    """Return whether `words` contain one of `names`, in the singular or plural, whatever its punctuation.

    With `is_bent` the past of a verb names it too.
    """
    running = _words(words)
    return any(_words(form) in running for name in names for form in _forms_of(name, is_bent))


def _is_done_to(title: str, names: Iterable[str]) -> bool:
    """Return whether a title is a gerund followed by one of `names`, in the singular or plural."""
    doing, _, rest = title.casefold().partition(" ")
    return doing.endswith("ing") and any(rest in (name.casefold(), plural(name).casefold()) for name in names)


def _forms_of(name: str, is_bent: bool) -> Iterator[str]:
    yield from either_number(name)
    if is_bent and name.isalpha():
        yield from verb_of(name.casefold()).past


def _words(text: str) -> str:
    return f" {' '.join(words_in(text.casefold()))} "


def _forms(names: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Map the slugs of all forms of names to terms; names as written win over plurals and singulars."""
    written = [(name, term) for term, own in names.items() for name in own]
    others = ((form, term) for name, term in written for form in (singular(name), plural(name)))
    return {slug(form): term for form, term in reversed([*written, *others])}
