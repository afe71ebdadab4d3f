"""Find defects that only show when parts of a source are compared with each other.

Each is a problem with a place and a quotation. A defect is reported only if the text itself proves it, and it
cannot be intended.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

from ...ontology import grouped, slug
from ..graph.emit import is_redirect
from ..language.everyday import SMALL
from ..language.names import plural, singular
from ..language.numbers import level, parent, wholes
from ..language.words import beginning, unbalanced_quotes
from ..records import Entry, Problem, Reference, Severity, TargetKind
from .edition import EditionView, Unit

_WORD = re.compile(r"[a-z0-9]+")
_QUOTE = re.compile('["“”]')
_NO_VERB = re.compile(r"[A-Z][\w'’-]*(?:\s[A-Z][\w'’-]*)*\s?$")
_FORMER = re.compile(
    r"\b(?:former(?:ly)?|previous(?:ly)?|older|old|original(?:ly)?|obsolete|earlier|once|no longer|used to|"
    r"replaced|printed|errata|Oracle|now)\b",
    re.IGNORECASE,
)
"""Words of a text about former names."""

_A_KIND = re.compile(r"An? (?P<kind>[a-z]+ [a-z]+)\b")
"""The beginning of an entry that says the kind of its term; kinds with lists have names of two words."""

_FEW = 2
"""At most this many texts use an obsolete name by oversight; more use it on purpose."""


def find_defects(view: EditionView) -> list[Problem]:
    """Return the defects of an edition of the rules, in the order of the text.

    Numbers and titles are checked only in editions that contain rules: a release of rulings cites rules of
    others. Redirects are checked in all.
    """
    found: list[Problem] = []
    if _holds_rules(view):
        titles = _Titles(view)
        for unit in view.units:
            found += titles.examine(unit)
        found += _unbalanced_quotes(view)
        found += _obsolete_names(view)
    found += _redirects(view)
    return sorted(dict.fromkeys(found), key=lambda p: (p.first_line, p.code, p.message))


def _holds_rules(view: EditionView) -> bool:
    """Return whether an edition contains rules, unlike a release of rulings."""
    documents = view.documents
    return any(d.rules for d in documents) and any(d.sections for d in documents)


class _Titles:
    """The rules of an edition by number and by title, to check references."""

    def __init__(self, view: EditionView) -> None:
        self.numbers = view.loaded_rules
        self.titles = view.titles
        own = ((number, title) for number, title in view.titles.items() if number in self.numbers)
        self.titled = grouped((_key(title), number) for number, title in own)
        rules = grouped(
            (parent(number), number in view.titles) for number in self.numbers if level(number) == "rule"
        )
        self.lists = {
            it for it, titled in rules.items() if sum(titled) > len(titled) / 2 and it in self.titles
        }
        """The chapters that list things: most of their rules have titles."""

    def examine(self, unit: Unit) -> Iterator[Problem]:
        """Yield what is wrong with the references of one text unit."""
        for reference in unit.references:
            rules = [target.key for target in reference.targets if target.kind is TargetKind.RULE]
            for number in dict.fromkeys([*rules[:1], *rules[-1:]]):
                if number not in self.numbers:
                    message = f"{unit.label} refers to rule {number}, which this edition does not have"
                    yield _problem(unit, "dangling-reference", message, reference.surface, Severity.ERROR)
            if len(rules) == 1 and reference.quoted_title and rules[0] in self.numbers:
                yield from self._title(unit, reference, rules[0])
        yield from self._topic(unit)
        yield from self._kind(unit)

    def _title(self, unit: Unit, reference: Reference, number: str) -> Iterator[Problem]:
        quoted = reference.quoted_title or ""
        own = [self.titles[it] for it in wholes(number) if it in self.titles]
        if not own or any(_key(quoted) == _key(title) for title in own):
            return
        heading = own[0]
        named = f"{unit.label} calls rule {number} “{quoted}”; its heading is “{heading}”"
        elsewhere = [other for other in self.titled.get(_key(quoted), ()) if other != number]
        if _words(quoted) <= _words(heading) or _words(heading) <= _words(quoted):
            yield _problem(unit, "shortened-title", named, reference.surface, Severity.INFO)
        elif elsewhere:
            better = f"{named}. “{quoted}” is rule {', '.join(elsewhere)}"
            yield _problem(unit, "wrong-rule-cited", better, reference.surface, Severity.ERROR)
        elif number in self.titles:
            yield _problem(unit, "wrong-title", named, reference.surface, Severity.WARNING)
        else:
            bare = f"{unit.label} calls rule {number} “{quoted}”; it has no heading, and is in “{heading}”"
            yield _problem(unit, "unknown-title", bare, reference.surface, Severity.INFO)

    def _topic(self, unit: Unit) -> Iterator[Problem]:
        """Yield citations of another keyword's rule by an entry whose own rule is elsewhere."""
        if not unit.term or unit.rule or unit.part in ("note", "example"):
            return
        own = self.titled.get(unit.term, [])
        cited = [(r, t.key) for r in unit.references for t in r.targets if t.kind is TargetKind.RULE]
        if not own or len(cited) != 1 or cited[0][0].quoted_title:
            return
        reference, number = cited[0]
        siblings = {parent(rule) for rule in own if level(rule) == "rule"}
        if number in self.titles and parent(number) in siblings and number not in own:
            of_own = f"“{unit.label}” is rule {own[0]}"
            message = f"{unit.label} cites rule {number}, “{self.titles[number]}”; {of_own}"
            yield _problem(unit, "wrong-rule-cited", message, reference.surface, Severity.ERROR)

    def _kind(self, unit: Unit) -> Iterator[Problem]:
        """Yield entries that say another kind (*a keyword ability*) than the list that their rule is in."""
        said = _A_KIND.match(unit.text)
        if not said or not unit.term or unit.rule or unit.part in ("note", "example"):
            return
        rule = next((it for it in self.titled.get(unit.term, ()) if parent(it) in self.lists), "")
        listed = [it for it in self.titled.get(_key(said["kind"]), ()) if it in self.lists]
        if rule and listed and parent(rule) not in listed:
            its = f"its rule {rule} is in “{self.titles[parent(rule)]}”"
            message = f"{unit.label} is called {said[0].lower()}; {its}, not in “{self.titles[listed[0]]}”"
            yield _problem(unit, "wrong-kind", message, said[0], Severity.WARNING)


def _unbalanced_quotes(view: EditionView) -> Iterator[Problem]:
    """Yield texts with a quotation that is not closed, or not opened.

    A quotation may continue from one paragraph of an entry to the next: quotes that balance over the whole
    entry are not reported.
    """
    whole: dict[str, str] = defaultdict(str)
    for unit in view.units:
        whole[unit.label] += unit.text
    for unit in view.units:
        if not (unbalanced_quotes(unit.text) and unbalanced_quotes(whole[unit.label])):
            continue
        place, fault = _unpaired(unit.text)
        message = f"a quotation in {unit.label} is {fault}"
        quote = unit.text[max(0, place - 20) : place + 80]
        yield _problem(unit, "unbalanced-quotes", message, quote, Severity.INFO)


def _unpaired(text: str) -> tuple[int, str]:
    """Return the place of the first unpaired quotation mark, and what is wrong with it."""
    open_at: int | None = None
    for mark in _QUOTE.finditer(text):
        before = text[: mark.start()][-1:]
        opens = mark[0] == "“" or (mark[0] == '"' and (not before or before in " \n([-—"))
        if opens and open_at is not None:
            return open_at, "opened but not closed"
        if not opens and open_at is None:
            return mark.start(), "closed but not opened"
        open_at = mark.start() if opens else None
    return open_at or 0, "opened but not closed"


def _obsolete_names(view: EditionView) -> Iterator[Problem]:
    """Yield texts that use a name which the glossary calls obsolete.

    Only names of several words are checked, outside quotation marks, unless the text is about the past. A
    name that many texts use also has a meaning in plain English.
    """
    names = {
        name.casefold(): entry
        for entry in view.entries
        if entry.status == "obsolete"
        for name in entry.names
        if len(name.split()) > 1 and not SMALL & set(name.casefold().split()) and _NO_VERB.match(name)
    }
    if not names:
        return
    phrase = rf"(?<![\w\"“])(?:{'|'.join(map(re.escape, sorted(names)))})(?!\w)"
    dead = {slug(e.names[0]) for e in view.entries if e.status == "obsolete" and e.names}
    users: dict[str, list[tuple[Unit, str]]] = defaultdict(list)
    for unit in view.units:
        found = _first(phrase, unit.text) if unit.term not in dead else ""
        if found and not _FORMER.search(unit.text):
            users[found.casefold()].append((unit, found))
    for name, places in users.items():
        for unit, words in places if len(places) <= _FEW else ():
            message = f"{unit.label} says “{words}”, which is obsolete: see “{names[name].heading}”"
            yield _problem(unit, "obsolete-term-used", message, words, Severity.INFO)


@lru_cache(maxsize=1 << 14)
def _first(phrase: str, text: str) -> str:
    """Return the first words in a text that match a pattern; cached, as neighbouring editions share both."""
    found = re.search(phrase, text, re.IGNORECASE)
    return found[0] if found else ""


def _redirects(view: EditionView) -> Iterator[Problem]:
    """Yield entries that redirect to a term without an entry or rule, or in a circle."""
    to: dict[str, str] = {}
    entries: dict[str, Entry] = {}
    defined = {slug(entry.names[0]) for entry in view.entries if entry.names} | set(view.defining)
    for entry in view.entries:
        if entry.names and is_redirect(entry):
            term = slug(entry.names[0])
            entries[term] = entry
            targets = [target.key for r in entry.paragraphs[0].references for target in r.targets]
            for name in targets:
                target = view.term_of(name)
                to.setdefault(term, target)
                if target not in defined and _holds_rules(view):
                    message = f"{entry.heading} says only “See {name}”, but there is no such entry or rule"
                    yield _entry_problem(entry, "redirect-nowhere", message)
    for term in to:
        seen = [term]
        while to.get(seen[-1], "") and to[seen[-1]] not in seen:
            seen.append(to[seen[-1]])
        if to.get(seen[-1]) == term and term == min(seen):
            names = " → ".join(entries[t].heading for t in [*seen, term])
            message = f"these entries only refer to each other: {names}"
            yield _entry_problem(entries[term], "redirect-circle", message)


def _problem(unit: Unit, code: str, message: str, quote: str, severity: Severity) -> Problem:
    return Problem.at(unit.record, code, message, unit.label, quote, severity)


def _entry_problem(entry: Entry, code: str, message: str) -> Problem:
    words, subject = entry.paragraphs[0], entry.number or entry.heading
    return Problem.at(words, code, message, subject, beginning(words.text), Severity.ERROR)


def _key(title: str) -> str:
    """Return a title in its form for comparisons: a slug in the singular."""
    return slug(singular(title.strip().rstrip(".,;:")))


def _words(title: str) -> set[str]:
    """Return the content words of a title, each with its singular and plural."""
    words = {word for word in _WORD.findall(title.lower()) if word not in SMALL}
    return {singular(word) for word in words} | {plural(singular(word)) for word in words}
