"""An edition, or all of them (``all``), becomes a file in one of the notations of RDF."""

from __future__ import annotations

import re

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from ....ontology.errors import UsageError
from ..current import snapshot_of
from ..pages.press import NOTATIONS
from ..pages.routing import PRESSROOM
from ..sparql.endpoint import answered
from ..sparql.formats import Formats
from ..sparql.protocol import QueryRequest
from .data import QUERIES

_MEDIA = {ending: media for media, _, ending in NOTATIONS}

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*")
"""What an edition may be called; it becomes part of a header."""


async def download(request: Request) -> Response:
    """Answer with the graphs of an edition as one file, which is made as any answer to a query is.

    Raises `UnknownNameError` for an edition that is not loaded, `UsageError` for one that is
    more than an answer may be.
    """
    name, _, ending = request.path_params["file"].rpartition(".")
    if ending not in _MEDIA:
        raise HTTPException(404, f"There are files that end in {', '.join(f'.{it}' for it in _MEDIA)}.")
    if not _NAME.fullmatch(name):
        raise HTTPException(404)
    snapshot = snapshot_of(request)
    graphs = await PRESSROOM.run(snapshot, lambda shelf: shelf.session.scope(name).default_graphs)
    asked = QueryRequest(QUERIES.bound("everything", {}), tuple(graphs), (), None)
    try:
        response = await answered(request, snapshot, asked, Formats(None, _MEDIA[ending]))
    except ClientDisconnect:
        return Response(status_code=499)
    except UsageError as error:
        raise UsageError(
            "this is more than the service gives at once", way_out="`rulesgraph export` writes all of it."
        ) from error
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.{ending}"'
    return response
