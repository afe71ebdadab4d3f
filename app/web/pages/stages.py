"""The history of a rule or an entry becomes the stages of its life, each with what changed in its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise

from markupsafe import Markup

from ....ontology.errors import RulesgraphError
from ....queries.history.diff import compared
from ....queries.session import Cells
from .addresses import standing_iri
from .press import Press, marked


@dataclass(frozen=True, slots=True)
class Standing:
    """One number of a stage: what it is called there, its page, and its words with what changed marked."""

    number: str
    link: str
    words: Markup
    here: bool = False


@dataclass(slots=True)
class Stage:
    """An edition in which something happened: `standings` are several where a rule was split."""

    edition: str
    issued: date | None
    link: str
    change: str
    standings: list[Standing] = field(default_factory=list)
    until: date | None = None


_TOLD = {
    "": "first seen",
    "unchanged": "unchanged",
    "renumbered": "renumbered, in the same words",
    "references": "only the numbers that it cites changed",
    "reworded": "reworded",
    "moved and reworded": "moved and reworded",
    "split": "split",
    "merged": "merged",
    "removed": "removed",
}


def stages(
    press: Press, history: Sequence[Cells], here: str, *, entry: bool = False, title: str = ""
) -> list[Stage]:
    """Return the stages of a life, newest first.

    Args:
        press: the page that they stand on.
        history: the rows of `Rules.history`.
        here: the IRI of what the page tells of.
        entry: whether it is the life of a glossary entry.
        title: for a rule that has one, its title: words that say no more are left out.
    """
    shelf = press.shelf
    found: list[Stage] = []
    before = ""
    for edition, number, change, _ in history:
        issued = shelf.edition(str(edition)).issued
        link = press.links.to(f"edition/{edition}.html")
        if not found or found[-1].edition != edition:
            told = _TOLD.get(str(change), str(change))
            found.append(Stage(str(edition), issued, link, told if found else "first seen"))
        if number is None:
            continue
        iri = standing_iri(shelf.iris, str(edition), str(number), is_entry=entry)
        text = _text(press, str(edition), iri)
        changed = change not in ("", "unchanged", "renumbered") and before and text
        shown = marked(compared(before, text)) if changed else Markup("{}").format(text)
        same = change in ("unchanged", "renumbered") or text == title
        found[-1].standings.append(
            Standing(str(number), press.to(iri), Markup("") if same else shown, iri == here)
        )
        before = text or before
    _until(found)
    return found[::-1]


def _until(found: Sequence[Stage]) -> None:
    for stage, later in pairwise(found):
        stage.until = later.issued


def _text(press: Press, edition: str, iri: str) -> str:
    if not press.shelf.words:
        return ""
    try:
        return press.shelf.past.text(press.shelf.edition(edition), iri)
    except RulesgraphError:
        return ""
