"""Distinguish titles from sentences, and give other forms of names and words."""

from __future__ import annotations

import re
from functools import lru_cache

from .everyday import SMALL, UNBENT, UNINFLECTED
from .verbs import plain_verbs, verb_of, verbs_of_noun

_UNCHANGING = frozenset(
    "plains equipment errata haste damage mana series species sheep moose fish information combat "
    "dies becomes leaves counts as is has does unless always this you ninjutsu".split()
)
"""Words without another number: uncountable nouns, verbs of headings, pronouns."""

_IRREGULAR = {
    "afterlife": "afterlives", "die": "dice", "dwarf": "dwarves", "elf": "elves", "half": "halves",
    "life": "lives", "monarch": "monarchs", "phenomenon": "phenomena", "wolf": "wolves",
}  # fmt: skip
_REGULAR = {plural: singular for singular, plural in _IRREGULAR.items()}
_SINGULAR_IN_S = re.compile(r"(?:ss|us|is|'s|s')$")
_SINGULAR_IN_E = re.compile(r"(?:ve|^.ie)s$")
"""Plurals that only lose their *s*, where the general rule would guess *-f* or *-y*: *resolves*, *ties*."""

_NOUNS_IN_ED = frozenset("breed deed kindred need seed speed steed weed".split())
_NO_PLURAL = re.compile(r"(?:ed|less|ly|\W|\d|(?<![a-z])[a-z])$")
_OF_ONE = re.compile(r"(?:an?|another|any|each|every|that|this) ", re.IGNORECASE)
"""The beginning of a name that means one thing: *any target* has no plural."""

_ARTICLES = frozenset(("a", "an", "the"))
_HEADS_AFTER_OF = frozenset(
    "ability action card condition cost counter effect event option order pack phase player rule step "
    "symbol token trigger turn type value variant zone".split()
)
"""Nouns that an *of* phrase before them describes: an *End of Combat Step* is a step, not an end."""


def plural(name: str) -> str:
    """Return the plural of a name; a name without one is returned as it is.

    The head word changes: the last one, or the one before *of* (*Sources of Damage*), unless the *of* phrase
    describes a later noun (*End of Combat Steps*).

    >>> plural("Library"), plural("Source of Damage"), plural("Plains"), plural("Any Target")
    ('Libraries', 'Sources of Damage', 'Plains', 'Any Target')
    """
    return name if _OF_ONE.match(name) else _on_head(name, "plural")


def singular(name: str) -> str:
    """Return the singular of a name; a name that is singular already is returned as it is.

    >>> singular("State-Based Effects"), singular("Sources of Damage"), singular("Colorless")
    ('State-Based Effect', 'Source of Damage', 'Colorless')
    """
    return _on_head(name, "singular")


def either_number(name: str) -> tuple[str, ...]:
    """Return a name as it is, in the singular and in the plural, each form once.

    >>> either_number("Library"), either_number("Plains")
    (('Library', 'Libraries'), ('Plains',))
    """
    return tuple(dict.fromkeys((name, singular(name), plural(name))))


@lru_cache(maxsize=1 << 14)
def _on_head(name: str, number: str) -> str:
    words = re.split(r"([\s-]+)", name)
    place = len(words) - 1
    lowered = [word.lower() for word in words]
    if "of" in lowered[2:-2]:
        of = lowered.index("of", 2)
        if lowered[of + 2] in _ARTICLES or _inflected(lowered[-1], "singular") not in _HEADS_AFTER_OF:
            place = of - 2
    words[place] = _inflected(words[place], number)
    return "".join(words)


@lru_cache(maxsize=8192)
def _inflected(word: str, number: str) -> str:
    lowered = word.lower()
    if lowered in _UNCHANGING or not lowered:
        return word
    table = _IRREGULAR if number == "plural" else _REGULAR
    if lowered in table:
        return word[0] + table[lowered][1:]
    if number == "plural":
        alone = _NO_PLURAL.search(lowered) and lowered not in _NOUNS_IN_ED
        return word if alone else _library(word, number)
    if _SINGULAR_IN_S.search(lowered) or not lowered.endswith("s"):
        return word
    return word[:-1] if _SINGULAR_IN_E.search(lowered) else _library(word, number)


def _library(word: str, number: str) -> str:
    import inflection

    return inflection.pluralize(word) if number == "plural" else inflection.singularize(word)


_BEHIND = re.compile(r"\s(?:variants?|options?|cards?)$", re.IGNORECASE)
"""The word for the kind of thing after the name in a title: *Emperor Variant*, *Saga Cards*."""


def title_names(title: str) -> tuple[str, ...]:
    """Return the names that a title may stand for, the longest first.

    >>> title_names("The Emperor Variant")
    ('The Emperor Variant', 'Emperor Variant', 'The Emperor', 'Emperor')
    """
    short = _BEHIND.sub("", title)
    return tuple(
        dict.fromkeys(
            name for whole in (title, short) for name in (whole, whole.removeprefix("The ")) if name
        )
    )


@lru_cache(maxsize=8192)
def gerunds(name: str) -> frozenset[str]:
    """Return the possible forms of a name with its first word as a gerund, in lower case.

    >>> sorted(gerunds("Copy")), sorted(gerunds("Restart the Game"))
    (['copying'], ['restarting the game'])
    """
    plain, _, rest = name.casefold().partition(" ")
    return frozenset(f"{form} {rest}".strip() for form in verb_of(plain).gerund if plain.isalpha())


_DOER = re.compile(r"(?<=\w\w)ers?$")
"""The ending that makes a verb into its agent: *a double striker*."""

_BENDABLE = 3
"""The minimum length of a word whose other forms are looked up."""


@lru_cache(maxsize=8192)
def other_forms(word: str) -> tuple[str, ...]:
    """Return the words that `word` may be a form of, or that may be forms of it, the likeliest first.

    >>> other_forms("tapped")[0], "dies" in other_forms("died"), "strike" in other_forms("strikers")
    ('tap', True, True)
    >>> "destroy" in other_forms("destruction")
    True
    """
    if len(word) < _BENDABLE or not word.isalpha() or word in UNINFLECTED:
        return ()
    doer = _DOER.sub("ing", word)
    guesses = (*plain_verbs(word), *plain_verbs(doer), *verbs_of_noun(singular(word)))
    plain = [verb for verb in guesses if verb not in UNBENT]
    likely = [singular(word), *plain, plural(word)]
    bending = [*plain, *([] if word in UNBENT else [word])]
    further = sorted({form for verb in bending for form in verb_of(verb).forms})
    return tuple(form for form in dict.fromkeys((*likely, *further)) if form != word)


_LONGEST_TITLE = 80
"""The maximum number of characters in a title."""

_FEW_SMALL = 0.25
"""The share of words in a title that may be lower-case."""

_AROUND = "\"'“”‘’()[],;:."


def small_share(text: str) -> float:
    """Return the share of words that begin with a small letter, without articles and prepositions.

    It is 0 for a title, and near 1 for a sentence. A text without words has 1.

    >>> small_share("Walk of the Lamps"), small_share("the lamp goes out")
    (0.0, 1.0)
    """
    words = [word for word in text.split() if word.strip(_AROUND) not in SMALL]
    small = sum(word.lstrip(_AROUND)[:1].islower() for word in words)
    return small / len(words) if words else float(not text.split())


def is_title(text: str) -> bool:
    """Return whether this is a title (*Continuous Effects from Static Abilities*), not a sentence.

    A title is short, does not end in a stop, and begins nearly all its words with capitals, except articles
    and prepositions.

    >>> is_title("Start Your Engines!"), is_title("There is no largest bell"), is_title("Phasing")
    (True, False, True)
    """
    if len(text) > _LONGEST_TITLE or text.endswith((".", ":", ";", ",", "?")) or not text:
        return False
    return small_share(text) <= _FEW_SMALL
