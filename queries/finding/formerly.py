"""Well-known terms by the names that they had before, or were given after: for stores without both editions.

Where the editions on both sides of a renaming are loaded, the store itself knows it (`rg:renamedTo`).
"""

from __future__ import annotations

from dataclasses import dataclass

from ...ontology.iris import slug


@dataclass(frozen=True, slots=True)
class Renamed:
    """A concept that was given another name; `since` is the first edition with the new one, by its date."""

    old: str
    new: str
    since: str


RENAMED = (
    Renamed("Local Enchantment", "Aura", "2005"),
    Renamed("State-Based Effects", "State-Based Actions", "July 2009"),
    Renamed("In Play", "Battlefield", "July 2009"),
    Renamed("Comes into Play", "Enters the Battlefield", "July 2009"),
    Renamed("Leaves Play", "Leaves the Battlefield", "July 2009"),
    Renamed("Removed from the Game", "Exile", "July 2009"),
    Renamed("End of Turn Step", "End Step", "July 2009"),
    Renamed("End Phase", "Ending Phase", "July 2009"),
    Renamed("Converted Mana Cost", "Mana Value", "2021"),
    Renamed("Totem Armor", "Umbra Armor", "2024 at the latest"),
    Renamed("Tribal", "Kindred", "2024 at the latest"),
)
"""Renamings that the history of the rules shows, and people still use the old names of."""


def other_name(name: str) -> tuple[str, str] | None:
    """Return (the other name of a term, a remark that says so), for a name that was given up or is new.

    >>> other_name("state-based effects")
    ('State-Based Actions', 'State-Based Effects has been called State-Based Actions since July 2009.')
    >>> other_name("Battlefield")
    ('In Play', 'Battlefield was called In Play before July 2009.')
    """
    wanted = {slug(name), slug(name).removesuffix("s"), slug(name) + "s"}
    for it in RENAMED:
        if slug(it.old) in wanted:
            return it.new, f"{it.old} has been called {it.new} since {it.since}."
        if slug(it.new) in wanted:
            return it.old, f"{it.new} was called {it.old} before {it.since}."
    return None
