"""Find the terms of the rules in a card's words, and the keywords printed on it.

Reminder text in brackets is skipped, as are the card's own names, the names of other cards and tokens after
*named*, and the words before a spaced dash, which are an ability word or flavour unless they name a keyword.
The evidence is the sentence, which the term's names find again, so it need not be stored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...ontology import slug
from ..language.names import plural, singular
from ..linking.mentions import MentionFinder, verbs_used
from .records import Card, CardFace

_REMINDER = re.compile(r"\([^()]*\)")
_LABEL = re.compile(r"(?m)^(?:[•+] ?)?([^\W\d][^\n—{}.:]{0,50}?) — ")
_NAMED = re.compile(r"\bnamed ((?:[A-Z][\w'’,-]*|of|the|and|to|in)(?: (?:[A-Z][\w'’-]*|of|the|and|to|in))*)")
_TITLE = re.compile(r",| // | (?:the|of|and|from|in|to|who|with) ")
_REBALANCED = "A-"
"""The prefix of a card's name where the digital game rewrote the card."""

_TYPES = re.compile(r"[^\s—/]+")
_REST = re.compile(r"[.:] ")
"""What separates a keyword's parameter from the rest of its ability."""

_OPENS = re.compile(r"(?:^|(?<=[\n.,:—•|\"“])) ?[A-Z](?=[a-z])")
_INSTEAD = re.compile(r"\binstead\b")
_PARAMETER = re.compile(r"(?:—|\s—\s|\s(?=[{\dXa-z])|$)")
_VARIANT = re.compile(r"(?i)\b(?:(?P<what>(?:[a-z'-]+ )?[a-z'-]*?[a-z])(?P<kind>walk|cycling))\b")
_VARIANTS = {"walk": "landwalk", "cycling": "typecycling"}


Keyword = tuple[str, str]
"""A keyword printed on a face: the slug of its term, and its parameter, ``""`` without one."""


def own_names(card: Card, face: CardFace) -> tuple[str, ...]:
    """Return the names by which a card refers to itself, the longest first.

    >>> face = CardFace("Wick, Keeper of Moths", "Legendary Creature — Moth", "")
    >>> own_names(Card(face.name, "normal", (face,)), face)
    ('Wick, Keeper of Moths', 'Wick')
    """
    whole = (face.name, card.name, *(other.name for other in card.faces))
    names = [name.removeprefix(_REBALANCED) for name in whole]
    if "Legendary" in face.type_line:
        names += [_TITLE.split(name)[0] for name in names]
        names += [first for name in names if len(first := name.split()[0].strip(",")) > 3]
    return tuple(sorted({name for name in names if name}, key=lambda name: (-len(name), name)))


class CardReader:
    """Reads the words of cards with the names of one edition; `terms` are its terms, by their slugs."""

    def __init__(
        self, names: Mapping[str, Sequence[str]], texts: Iterable[str], keywords: Iterable[str]
    ) -> None:
        """Take the names of its terms by their slugs, its texts, and the slugs of keyword abilities."""
        self.terms = frozenset(names)
        self._finder = MentionFinder(names, verbs_used(texts))
        self._keywords = {
            name.lower(): term for term in keywords for name in names.get(term, ()) if "[" not in name
        }
        self._keyword = _any_of(self._keywords)
        self._names = {
            form.lower() for own in names.values() for name in own for form in (name, plural(name))
        }
        self._labels = {name.lower(): term for term, own in names.items() for name in own if "[" not in name}

    def read(self, card: Card, face: CardFace) -> tuple[list[str], list[Keyword]]:
        """Return the terms of a face by their slugs, without its types, and its own keywords in order."""
        text = face.text
        keywords = [*self._printed(text)]
        found = dict.fromkeys(
            it.slug for it in self._finder.find(_in_sentence(text), self.hidden(card, face))
        )
        found |= dict.fromkeys(term for term, _ in keywords)
        return [*found], keywords

    def hidden(self, card: Card, face: CardFace) -> list[tuple[int, int]]:
        """Return the spans of a face's text that may not contain mentions."""
        text = face.text
        spans = [match.span() for match in _REMINDER.finditer(text)]
        spans += [match.span(1) for match in _NAMED.finditer(text)]
        for match in _LABEL.finditer(text):
            if match[1].lower() not in self._labels:
                spans.append(match.span(1))
        return sorted((*spans, *_occurrences(text, own_names(card, face), self._names)))

    def _printed(self, text: str) -> Iterator[Keyword]:
        """Yield the keywords of the lines that consist only of keywords."""
        for line in _REMINDER.sub("", text).splitlines():
            whole = line.strip().rstrip(".;")
            parts = [part.strip() for part in re.split(r"[,;] ", whole)]
            several = [self._part(part) for part in parts]
            if all(several):
                yield from filter(None, several)
            elif several[0] and (one := self._part(whole)) and "—" in whole:
                yield one

    def _part(self, part: str) -> Keyword | None:
        """Return the keyword, with its parameter, that a part of a line is."""
        match = self._keyword.match(part)
        if match and (then := _PARAMETER.match(part, match.end())):
            parameter = _REST.split(part[then.end() :])[0].strip()
            if then.end() == len(part) or not _is_sentence(parameter):
                return self._keywords[match[0].lower()], parameter
        variant = _VARIANT.match(part)
        term = _VARIANTS[variant["kind"].lower()] if variant else ""
        if variant and term in self._keywords.values():
            parameter = f"{variant['what']} {part[variant.end() :].strip(' —')}".strip()
            return term, parameter
        return None


def _in_sentence(text: str) -> str:
    """Return a text of equal length where only names have capitals, and *instead* is the rules' word.

    >>> _in_sentence("{T}, Sacrifice Wick: Draw a card. If you would, gain 1 life instead.")
    '{T}, sacrifice Wick: draw a card. if you would, gain 1 life Instead.'
    """
    return _INSTEAD.sub("Instead", _OPENS.sub(lambda it: it[0].lower(), text))


_VERBS = re.compile(r"\b(?:is|are|gets?|has|have|can't|may|enters?|you|its controller|deals?|becomes?)\b")


def _is_sentence(parameter: str) -> bool:
    """Return whether this is a sentence that starts like a keyword, not a parameter."""
    return bool(_VERBS.search(parameter.partition("—")[0])) and not parameter.startswith("{")


def _any_of(names: Iterable[str]) -> re.Pattern[str]:
    longest = sorted(names, key=lambda name: (-len(name), name))
    return re.compile("(?i)(?:" + "|".join(map(re.escape, longest)) + r")(?![\w-])" if longest else r"(?!)")


def _occurrences(text: str, names: tuple[str, ...], known: set[str]) -> Iterator[tuple[int, int]]:
    """Yield where a card refers to itself by name, except in lines that are only a keyword."""
    for name in names:
        start = text.find(name)
        while start >= 0:
            end = start + len(name)
            line = text[text.rfind("\n", 0, start) + 1 :].partition("\n")[0]
            is_keyword = name.lower() in known and line.partition(" (")[0].strip(" .") == name
            if not is_keyword and not text[end : end + 1].isalnum():
                yield start, end
            start = text.find(name, end)


def types_of(face: CardFace) -> dict[str, str]:
    """Return slug → name of a face's supertypes, types and subtypes, in the singular.

    >>> types_of(CardFace("Wick", "Legendary Creature — Moth Scout", ""))
    {'legendary': 'Legendary', 'creature': 'Creature', 'moth': 'Moth', 'scout': 'Scout'}
    """
    types = (singular(it) if it != "Plains" else it for it in _TYPES.findall(face.type_line))
    return {slug(it): it for it in types}
