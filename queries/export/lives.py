"""Write the history of every rule from an authority file, in Turtle or as a table, without text."""

from __future__ import annotations

import csv
import io

from ...loaders.history.authority import Authority
from ...loaders.history.lives import Lives
from ...loaders.history.timeline import all_lives
from ...ontology.iris import BASE, Iris
from .notations import turtle_of

COLUMNS = tuple("provision number first_edition last_edition until change from into checksum".split())


def lives_as(notation: str, authority: Authority, base: str = BASE) -> str:
    """Return the tenures of all provisions, and what took over from each, as `turtle` or `csv`."""
    lives = Lives(authority.text())
    if notation == "turtle":
        return turtle_of(all_lives(lives, Iris(base)).lines, base)
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    for provision in lives.provisions:
        into = " ".join(lives.heirs(provision))
        for it in lives.tenures(provision):
            change, came = it.change.value if it.change else "", " ".join(it.sources)
            rows.writerow((provision, it.number, it.first, it.last, it.until, change, came, into, it.words))
    return text.getvalue()
