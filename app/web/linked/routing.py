"""Addresses of things become answers: 303 to a page or to data, and either of them by its ending."""

from __future__ import annotations

from datetime import date

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ....ontology.errors import UsageError
from ..current import snapshot_of
from ..errors import refusal
from ..freshness import has_already
from ..negotiation import preferred
from ..pages.addresses import page_of, sought
from ..pages.missing import missing_page
from ..pages.page import Page
from ..pages.press import NOTATIONS
from ..pages.routing import PRESSROOM, asked_for, shown
from ..pages.rule import rule_page
from ..pages.shelf import Shelf
from ..pages.things import page_of_thing
from .data import exists, statements, written
from .downloads import download
from .dumps import dump
from .offers import DUMPS

ENDINGS = {"text/html": "html", **{media: ending for media, _, ending in NOTATIONS}}
"""What a thing can be had as, and the ending that says so; browsers get the first."""

_ALSO = {"application/xhtml+xml": "html", "application/json": "jsonld", "text/plain": "nt"}
MEDIA = {ending: media for media, ending in ENDINGS.items()}


async def thing(request: Request) -> Response:
    """Lead from a thing to its page or its data, or show either where the address says which."""
    snapshot = snapshot_of(request)
    address = request.url.path.removeprefix("/")
    wanted = sought(snapshot.rules.session.iris, address)
    if wanted.ending == "html":
        page = await PRESSROOM.ask(
            snapshot, ("thing", wanted.iri), lambda shelf: page_of_thing(shelf, wanted.iri)
        )
        if page.status == 200 and page.address != address:
            return RedirectResponse(f"/{page.address}", 301, {"Cache-Control": "no-cache"})
        return await shown(request, ("thing", wanted.iri), lambda shelf: page_of_thing(shelf, wanted.iri))
    if wanted.ending:
        return await _data(request, wanted.iri, wanted.ending)
    if not await PRESSROOM.run(snapshot, lambda shelf: exists(shelf, wanted.iri)):
        return await shown(request, ("missing", wanted.iri), lambda shelf: missing_page(shelf, wanted.iri))
    return _elsewhere(request, page_of(snapshot.rules.session.iris, wanted.iri), address)


def _elsewhere(request: Request, page: str, address: str) -> Response:
    """Return 303 to the form of a thing that the client wants most, or 406."""
    media = preferred(request.headers.get("accept"), [*ENDINGS, *_ALSO])
    links = ", ".join(
        f'</{address}.{ending}>; rel="alternate"; type="{media}"' for media, ending in ENDINGS.items()
    )
    headers = {"Vary": "Accept", "Link": links, "Cache-Control": "no-cache"}
    if media is None:
        offered = ", ".join(ENDINGS)
        return refusal(request, 406, f"This can be had as {offered}.", headers)
    ending = ENDINGS.get(media) or _ALSO[media]
    return RedirectResponse(f"/{page}" if ending == "html" and page else f"/{address}.{ending}", 303, headers)


async def _data(request: Request, iri: str, ending: str) -> Response:
    snapshot = snapshot_of(request)
    etag = snapshot.etag("data", iri, ending)
    address = request.url.path.removesuffix(f".{ending}")
    headers = {
        "ETag": etag,
        "Cache-Control": "no-cache",
        "Link": f'<{iri}>; rel="canonical", <{address}.html>; rel="alternate"; type="text/html"',
    }
    if has_already(request, etag) and await PRESSROOM.run(snapshot, lambda shelf: exists(shelf, iri)):
        return Response(status_code=304, headers=headers)
    body = await PRESSROOM.run(snapshot, lambda shelf: written(shelf, statements(shelf, iri), ending))
    if not body:
        return await shown(request, ("missing", iri), lambda shelf: missing_page(shelf, iri))
    return Response(body, headers=headers, media_type=MEDIA[ending])


async def rule_of_a_day(request: Request) -> Response:
    """Show what carries a number today, or carried it on a day (`asof`)."""
    number = request.path_params["number"]
    (day,) = asked_for(request, "asof")
    asof = None
    if day:
        try:
            asof = date.fromisoformat(day)
        except ValueError as error:
            raise UsageError(f"{day!r} is no day", way_out="Give one such as 2008-03-17.") from error
    page = await PRESSROOM.ask(
        snapshot_of(request), ("rule", number, day), lambda shelf: _rule(shelf, number, asof)
    )
    if page.status == 200 and not asof:
        return RedirectResponse(f"/{page.address}", 302, {"Cache-Control": "no-cache"})
    return await shown(request, ("rule", number, day), lambda shelf: _rule(shelf, number, asof))


def _rule(shelf: Shelf, number: str, asof: date | None) -> Page:
    edition = shelf.in_force(asof) if asof else shelf.newest
    if edition is None:
        raise UsageError(f"no edition is loaded that was in force on {asof}", way_out="See the editions.")
    for iri in (shelf.iris.rule(edition.id, number), shelf.iris.section(edition.id, number)):
        if shelf.volume(edition.id).has(iri):
            return rule_page(shelf, iri, asof)
    return missing_page(shelf, shelf.iris.rule(edition.id, number), f"rule/{number}")


async def void(request: Request) -> Response:
    """Lead to the description of the data set."""
    return RedirectResponse("/dataset.ttl", 302)


_KINDS = ("term", "edition", "document", "provision", "authority", "scheme", "graph", "dataset")
_ALONE = ("ns", "game", "code", "question", "dataset")


def linked_routes() -> list[BaseRoute]:
    """Return the routes of all addresses below the base."""
    return [
        Route("/.well-known/void", void),
        *(Route(f"/download/{name}", dump, name=name) for name in DUMPS),
        Route("/download/{file}", download),
        Route("/rule/{number}", rule_of_a_day),
        *(Route(f"/{kind}/{{rest:path}}", thing) for kind in _KINDS),
        *(Route(f"/{name}", thing) for name in _ALONE),
        *(Route(f"/{name}.{ending}", thing) for name in _ALONE for ending in MEDIA),
    ]
