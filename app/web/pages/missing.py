"""An address without a thing becomes a page that says what was meant, or where it went."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ....ontology.errors import RulesgraphError, UnknownNameError
from ....queries.finding.names import identify
from ....queries.finding.things import editions_with
from ....queries.session import Answer
from .page import Page
from .press import Press, day
from .shelf import Shelf


def missing_page(shelf: Shelf, iri: str, at: str = "") -> Page:
    """Return 410 for what an edition had before, with where it went; 404 for what came later, or was never.

    What came later is shown with what it comes from, and what was never with the nearest names. `at` is the
    address at which it is shown, where that is another than that of the thing.
    """
    iris = shelf.iris
    place = iris.parse(iri)
    press = Press(shelf, f"{iris.local(iri)}.html" if iri.startswith(iris.base) else "missing.html", at=at)
    name = place.key.replace("-", " ") if place.kind else iris.local(iri)
    order = [it.id for it in shelf.followed]
    if place.edition and place.edition not in order:
        said = f"No edition “{place.edition}” is loaded."
    elif life := _life(shelf, place.edition, name, order):
        return press.page(
            "elsewhen",
            f"{name} is not here {'any more' if life.is_past else 'yet'}",
            status=410 if life.is_past else 404,
            name=name,
            is_number=place.kind != "entry",
            life=life,
            rows=[_row(press, row) for row in life.answer.rows],
        )
    else:
        said = f"No loaded edition has “{name}”."
    near = _near(shelf, name) if name else []
    return press.page(
        "missing",
        "Nothing is here",
        status=404,
        said=said,
        stands=[it.casefold() for it in near] == [name.casefold()],
        near=[(it, _link(press, it)) for it in near],
    )


class _Life(NamedTuple):
    """What became of a name that an edition had before, or what one comes from that a later one has."""

    is_past: bool
    answer: Answer


def _life(shelf: Shelf, edition: str, name: str, order: Sequence[str]) -> _Life | None:
    """Return what ties a name to an edition without it: the nearest one before that has it, else after."""
    if edition not in order:
        return None
    here = order.index(edition)
    try:
        having = editions_with(shelf.session, identify(shelf.session, name), False)
        for is_past, others in ((True, order[:here][::-1]), (False, order[here + 1 :])):
            if found := next((it for it in others if it in having), ""):
                return _Life(is_past, shelf.rules.trace(name, found, edition))
    except RulesgraphError:
        pass
    return None


def _row(press: Press, row: tuple[object, ...]) -> tuple[str, str, str, str]:
    edition, number, change, _ = row
    link = press.to(press.shelf.iris.rule(str(edition), str(number))) if number else ""
    return day(press.shelf.edition(str(edition)).issued), str(number or ""), str(change), link


def _near(shelf: Shelf, name: str) -> list[str]:
    try:
        return [shelf.rules.show(name).name]
    except UnknownNameError as error:
        return list(error.suggestions)
    except RulesgraphError:
        return []


def _link(press: Press, name: str) -> str:
    thing = press.shelf.volume(press.shelf.newest.id).called(name)
    return press.to(thing.iri) if thing else f"{press.links.tool('search')}?q={name}"
