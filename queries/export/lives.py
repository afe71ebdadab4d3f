"""Write the history of every rule from an authority file in Turtle: numbers and dates, no words."""

from __future__ import annotations

from ...loaders.history.authority import Authority
from ...loaders.history.lives import Lives
from ...loaders.history.timeline import all_lives
from ...ontology.iris import BASE, Iris
from .notations import turtle_of


def lives_turtle(authority: Authority, base: str = BASE) -> str:
    """Return the tenures of all provisions, and what took over from each, under CC0."""
    return turtle_of(all_lives(Lives(authority.text()), Iris(base)).lines, base)
