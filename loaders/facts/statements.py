"""What a sentence of a definition can state, as frozen records: the results of the fact patterns."""

from __future__ import annotations

from dataclasses import dataclass

from ..linking.edition import Unit


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of thing: the local name of a class of the game, the slug of a term, or both."""

    cls: str
    term: str


@dataclass(frozen=True, slots=True)
class KindOf:
    """That a term is of some kinds: each of `kinds` is one thing that it stands for.

    `is_sense` tells that another paragraph of the entry may say that it stands for something else.
    """

    term: str
    kinds: tuple[Kind, ...]
    is_sense: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """That a list of the things called `name` holds `items` (names), or what the rules `rules` state.

    Where both are given, each rule is the heading of an item, in the same order. `cls` is the class of
    the items, where it is known; `current_as` names the set up to which the list is said to be current.
    """

    name: str
    cls: str
    items: tuple[str, ...] = ()
    rules: tuple[Unit, ...] = ()
    is_ordered: bool = False
    current_as: str = ""

    @property
    def count(self) -> int:
        """How many items the list has."""
        return max(len(self.items), len(self.rules))


@dataclass(frozen=True, slots=True)
class Division:
    """That a part of the turn, or the turn, has the parts `parts` (full names of class `cls`), in order."""

    whole: str
    cls: str
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """That a part of the turn stands within `whole`, as its n-th (`ordinal`, 0 where only "last" is said)."""

    part: str
    cls: str
    ordinal: int
    whole: str


@dataclass(frozen=True, slots=True)
class Steps:
    """That what `name` says is done in steps: the rules `rules`, or the sentences `items`."""

    name: str
    items: tuple[str, ...] = ()
    rules: tuple[Unit, ...] = ()


@dataclass(frozen=True, slots=True)
class OtherName:
    """That a term has another name; `is_former` when it had it once."""

    term: str
    name: str
    is_former: bool = False


@dataclass(frozen=True, slots=True)
class StandsFor:
    """That a term is short, or informal, for some words."""

    term: str
    words: str


@dataclass(frozen=True, slots=True)
class GivesWay:
    """That a term gave way to the words `by`; `new` is the term that they name, or empty."""

    term: str
    by: str
    new: str


@dataclass(frozen=True, slots=True)
class Template:
    """A wording in which a term is used: with its parameters, in order, and what it means (may be empty)."""

    term: str
    wording: str
    parameters: tuple[str, ...]
    meaning: str


Statement = KindOf | Listing | Division | Position | Steps | OtherName | StandsFor | GivesWay | Template
