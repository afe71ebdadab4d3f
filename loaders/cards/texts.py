"""Find the terms of the rules in a card's words, and the keywords printed on it.

Reminder text in brackets is skipped, as are the card's own names, the names of other cards and tokens after
*named*, and the words before a spaced dash, which are an ability word or flavour unless they name a keyword.
The evidence is the sentence, which the term's names find again, so it need not be stored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...ontology import slug
from ..facts.kinds import items_in
from ..language.names import plural, singular
from ..linking.mentions import MentionFinder, verbs_used
from .records import Card, CardFace

_REMINDER = re.compile(r"\([^()]*\)")
_LABEL = re.compile(r"(?m)^(?:[•+] ?)?([^\W\d][^\n—{}.:]{0,50}?) — ")
_ABILITY_WORDS = re.compile(r"\b[Tt]he ability words are ([^.:]+)\.")
_NAMED = re.compile(r"\bnamed ((?:[A-Z][\w'’,-]*|of|the|and|to|in)(?: (?:[A-Z][\w'’-]*|of|the|and|to|in))*)")
_TITLE = re.compile(r",| // | (?:the|of|and|from|in|to|who|with) ")
_REBALANCED = "A-"
"""The prefix of a card's name where the digital game rewrote the card."""

_TYPES = re.compile(r"[^\s—/]+")
_REST = re.compile(r"[.:] ")
"""What separates a keyword's parameter from the rest of its ability."""

_STATION = re.compile(r"^\d+\+ \| ")
_SEPARATOR = re.compile(r"[,;] (?:and )?")
_CLOSED = (".", '"', "”")
"""What ends a sentence or a quotation, but not a keyword with a quality."""

_OPENS = re.compile(r"(?:^|(?<=[\n.,:—•|\"“])) ?[A-Z](?=[a-z])")
_INSTEAD = re.compile(r"\binstead\b")
_PARAMETER = re.compile(r"(?P<cost>\s?—\s?|\s(?=[{\d]|X\b))|\s(?=\w)|$")
_VARIANT = re.compile(r"(?i)(?P<what>(?:[a-z'-]+ )?[a-z'-]*?[a-z])(?P<kind>walk|cycling| offering)\b")
_VARIANTS = {"walk": "landwalk", "cycling": "typecycling", " offering": "offering"}


Keyword = tuple[str, str]
"""A keyword printed on a face: the slug of its term, and its parameter (``""`` if it has none)."""


def ability_words(texts: Iterable[str]) -> frozenset[str]:
    """Return the slugs of the ability words that a rule lists; they have no entries (rule 207.2c).

    >>> sorted(ability_words(["The ability words are dimming, glow of 4, and moth's oath."]))
    ['dimming', 'glow-of-4', 'moth-s-oath']
    """
    lists = (listed for text in texts for listed in _ABILITY_WORDS.findall(text))
    return frozenset(slug(it) for listed in lists for it in items_in(listed))


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
        firsts = (word.strip(",") for name in names for word in name.split()[:1])
        names += [first for first in firsts if len(first) > 3]
    return tuple(sorted({name for name in names if name}, key=lambda name: (-len(name), name)))


class CardReader:
    """Reads the words of cards with the names of one edition; `terms` are its terms, by their slugs."""

    def __init__(
        self, names: Mapping[str, Sequence[str]], texts: Iterable[str], keywords: Iterable[str]
    ) -> None:
        """Take the names of its terms by their slugs, its texts, and the slugs of keyword abilities."""
        self.terms = frozenset(names)
        texts = [*texts]
        self._ability_words = ability_words(texts)
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

    def ability_words(self, face: CardFace) -> dict[str, str]:
        """Return slug → name of the ability words printed on a face."""
        found = {slug(it): it for it in _LABEL.findall(_REMINDER.sub("", face.text))}
        return {own: it for own, it in found.items() if own in self._ability_words}

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
        """Yield the keywords of the lines that consist only of keywords.

        A line that does not end like a sentence is such a line if a part of it is a keyword. Other parts
        continue its parameter, or name keywords that the edition does not have.
        """
        for line in _REMINDER.sub("", text).splitlines():
            whole = _STATION.sub("", line.strip())
            is_open = not whole.endswith(_CLOSED)
            found: list[Keyword] = []
            start = 0
            while start < len(whole):
                end = cut.start() if (cut := _SEPARATOR.search(whole, start)) else len(whole)
                dash = whole.find("—", start, end)
                if dash >= 0:  # a cost or a sentence takes the rest of the line
                    end, cut = len(whole), None
                part = whole[start:end].strip()
                own = self._part(part.rstrip(".;"), is_open or dash >= 0)
                if not own and not is_open and not part.startswith("where X "):
                    found = []
                    break
                if not own and found and found[-1][1]:
                    found[-1] = found[-1][0], f"{found[-1][1]}, {part.rstrip('.')}"
                found += own
                start = cut.end() if cut else len(whole)
            yield from found

    def _part(self, part: str, is_open: bool) -> list[Keyword]:
        """Return the keyword in a part of a line, with its parameter, and the variant that it names.

        A quality, without a dash or a number, is a parameter only if the part `is_open`: not a sentence.
        """
        named = self._keyword.match(part)
        variant = None if named else _VARIANT.match(part)
        match = named or variant
        then = _PARAMETER.match(part, match.end()) if match else None
        if not match or not then or (then.end() < len(part) and not then["cost"] and not is_open):
            return []
        if " — " in part and not then["cost"]:  # an ability word that begins like a keyword
            return []
        parameter = _REST.split(part[then.end() :])[0].strip()
        if named:
            return [(self._keywords[match[0].lower()], parameter)]
        kind = _VARIANTS[match["kind"].lower()]
        if kind not in self._keywords.values():
            return []
        own = self._labels.get(match[0].lower())
        return [(kind, f"{match['what']} {parameter}".strip()), *([(own, parameter)] if own else [])]


def _in_sentence(text: str) -> str:
    """Return a text of the same length in which only names have capitals, and *instead* is a term.

    >>> _in_sentence("{T}, Sacrifice Wick: Draw a card. If you would, gain 1 life instead.")
    '{T}, sacrifice Wick: draw a card. if you would, gain 1 life Instead.'
    """
    return _INSTEAD.sub("Instead", _OPENS.sub(lambda it: it[0].lower(), text))


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
