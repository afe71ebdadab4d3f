"""All that a store holds, its graphs kept apart, becomes a file that is given out while it is written."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import suppress
from weakref import WeakSet

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from ....loaders.store.dumping import dumping
from ....ontology.errors import StoreExhaustedError
from ..compression import takes_gzip
from ..current import Snapshot, snapshot_of
from ..freshness import has_already
from .offers import DUMPS

AT_ONCE = 4
"""How many are written at the same time."""

LONGEST = 1800
"""Seconds after which one is broken off, however slowly its client reads."""

_BLOCK = 1 << 18


class _Turn:
    """Leave to be given a file; it ends when the file does, or with the answer that nobody began to read."""


_TURNS: WeakSet[_Turn] = WeakSet()
"""Those that are given out."""


async def dump(request: Request) -> Response:
    """Answer with one of `DUMPS`, or with 304 where the client has it already.

    Raises `HTTPException` where too many are being written.
    """
    name = request.url.path.rpartition("/")[2]
    _, media = DUMPS[name]
    ending = name.split(".")[1]
    snapshot = snapshot_of(request)
    is_archive = name.endswith(".gz")
    packed = is_archive or takes_gzip(request.headers.get("accept-encoding"))
    headers = {
        "ETag": snapshot.etag("dump", name, "gzip" if packed else ""),
        "Cache-Control": "no-cache",
        "Content-Disposition": f'attachment; filename="{name}"',
        "Content-Type": f"{media}; charset=utf-8" if media == "application/trig" else media,
    }
    if not is_archive:
        headers |= {"Vary": "Accept-Encoding", **({"Content-Encoding": "gzip"} if packed else {})}
    if has_already(request, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    if request.method == "HEAD":
        return Response(headers=headers)
    if len(_TURNS) >= AT_ONCE:
        reason = "Too many downloads of everything are under way. Try again in a moment."
        raise HTTPException(503, reason, {"Retry-After": "30"})
    turn = _Turn()
    _TURNS.add(turn)
    return StreamingResponse(_written(snapshot, ending, packed, turn), headers=headers)


async def _written(snapshot: Snapshot, ending: str, packed: bool, turn: _Turn) -> AsyncIterator[bytes]:
    """Yield blocks as fast as the client takes them; what is held of the store stays until the end.

    Raises `StoreExhaustedError` where it is broken off: the client sees that it has not all of it.
    """
    location = snapshot.rules.session.store.location
    command = dumping(location, snapshot.generation, ending, packed)
    try:
        process = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL)
    except BaseException:
        _TURNS.discard(turn)
        raise
    # A client that is slow enough does not even ask for the next block.
    late = asyncio.get_running_loop().call_later(LONGEST, _end, process, turn)
    try:
        assert process.stdout is not None
        while block := await process.stdout.read(_BLOCK):
            yield block
        if await process.wait():
            raise StoreExhaustedError("the download was broken off", where=location)
    finally:
        late.cancel()
        _end(process, turn)


def _end(process: Process, turn: _Turn) -> None:
    _TURNS.discard(turn)
    with suppress(ProcessLookupError):
        process.kill()
