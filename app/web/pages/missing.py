"""An address without a thing becomes a page that says what was meant, or where it went."""

from __future__ import annotations

from ....ontology.errors import RulesgraphError, UnknownNameError
from ....queries.finding.names import identify
from ....queries.finding.things import editions_with
from ....queries.session import Answer
from .page import Page
from .press import Press, day
from .shelf import Shelf


def missing_page(shelf: Shelf, iri: str, at: str = "") -> Page:
    """Return 410 for a number that an edition had before, with where it went; 404 with the nearest names.

    `at` is the address at which it is shown, where that is another than that of the thing.
    """
    iris = shelf.iris
    place = iris.parse(iri)
    press = Press(shelf, f"{iris.local(iri)}.html" if iri.startswith(iris.base) else "missing.html", at=at)
    if place.kind in ("rule", "section", "entry"):
        gone = _gone(shelf, place.edition, place.key)
        if gone is not None:
            return press.page(
                "gone",
                f"{place.key} is gone",
                status=410,
                number=place.key,
                history=gone,
                rows=[_row(press, row) for row in gone.rows],
            )
    name = place.key.replace("-", " ") if place.kind else iris.local(iri)
    return press.page(
        "missing",
        "Nothing is here",
        status=404,
        name=name,
        near=[(it, _link(press, it)) for it in _near(shelf, name)],
    )


def _gone(shelf: Shelf, edition: str, number: str) -> Answer | None:
    """Return what became of a number that an edition does not have, but an older one had."""
    order = [it.id for it in shelf.followed]
    if edition not in order:
        return None
    try:
        found = editions_with(shelf.session, identify(shelf.session, number), False)
    except RulesgraphError:
        return None
    before = [it for it in order[: order.index(edition)] if it in found]
    try:
        return shelf.rules.trace(number, before[-1], edition) if before else None
    except RulesgraphError:
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
