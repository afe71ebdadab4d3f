"""A provision becomes its page: one rule through all its numbers and wordings."""

from __future__ import annotations

from ....ontology.errors import UnknownNameError
from .lives import lives
from .page import Page
from .press import Choice, Press
from .shelf import Shelf
from .stages import stages


def provision_page(shelf: Shelf, iri: str) -> Page:
    """Return the page of a provision; raises `UnknownNameError` for one that no loaded edition has."""
    lived = lives(shelf, iri)
    if not lived:
        raise UnknownNameError("provision", shelf.iris.local(iri), ())
    press = Press(shelf, f"{iri[len(shelf.iris.base) :]}.html")
    newest = lived[0]
    history = shelf.past.history(newest.number, newest.edition.id) if len(shelf.followed) > 1 else None
    return press.page(
        "provision",
        f"{shelf.iris.parse(iri).key}: {newest.number}",
        thing=iri,
        choices=[Choice(it.edition, press.to(it.iri)) for it in lived],
        provision=shelf.iris.parse(iri).key,
        newest=newest,
        lived=lived,
        stages=stages(press, history, newest.iri) if history else [],
        stands=newest.edition == shelf.followed[-1] if shelf.followed else True,
    )
