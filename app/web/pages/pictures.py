"""The map and other pictures as pages, drawn in a separate process."""

from __future__ import annotations

import asyncio
import logging
import pickle
import resource
import sys
from asyncio.subprocess import PIPE, create_subprocess_exec

from ....loaders.store.folder import FolderStore
from ....loaders.store.worker_protocol import limit, with_memory
from ....ontology.errors import RulesgraphError, StoreExhaustedError, StoreTimeoutError
from ...python.picture import PictureRequest, draw
from ...python.rules import Rules, open
from ..errors import told
from ..limits import FairTurns, end
from .layout import Page, PageContext, policy_of

MAP = "map.html"
"""The address of the map."""

WORDS = "map/words.json"
"""The address of its words; the parameters of a request are the same as those of the map."""

DEEPEST = 3
"""How many links away a view may reach."""

WAITING = 8
"""How many pictures may wait to be drawn."""

SECONDS = 150
"""How long drawing one may take: the longest, the map through all editions, takes a minute."""

_PROCESS = f"from {__name__} import main; main()"

_LOG = logging.getLogger(__name__)

Drawn = tuple[int, Page | tuple[int, str]]
"""The drawn generation of the store, and its page, or the status and the reason without one."""


def map_page(context: PageContext, wanted: PictureRequest | None = None) -> Page:
    """Return the map, or a view; raises as `Rules.picture` does."""
    picture = draw(context.session, wanted or PictureRequest(), words_at=WORDS)
    policy = policy_of(picture.html)
    return Page(200, picture.title, picture.html, MAP, context.modified, policy, picture.words)


class PictureDrawer:
    """Draws one picture after the other, each in a process that ends with it; for one event loop at a time.

    Drawing takes seconds and much memory: in its own process it delays no page, and the memory
    returns to the system.
    """

    def __init__(self) -> None:
        self._turns = FairTurns(1, WAITING, WAITING)

    async def draw(self, location: str, wanted: PictureRequest, memory: int) -> Drawn:
        """Return a picture of the newest state of the store at a location.

        The process may use `memory` bytes beyond opening the store.

        Raises `CrowdedError` if too many wait, `StoreTimeoutError` and `StoreExhaustedError`.
        """
        async with self._turns.turn("", WAITING * SECONDS):
            return await self._run(location, wanted, memory)

    async def _run(self, location: str, wanted: PictureRequest, memory: int) -> Drawn:
        process = await create_subprocess_exec(
            sys.executable, "-P", "-c", _PROCESS, stdin=PIPE, stdout=PIPE, stderr=PIPE
        )
        try:
            async with asyncio.timeout(SECONDS):
                found, said = await process.communicate(pickle.dumps((location, wanted, memory)))
        except TimeoutError:
            raise StoreTimeoutError(
                f"the picture took longer than {SECONDS} s",
                where=location,
                way_out="Ask for less: fewer editions, or the neighbourhood of one thing.",
            ) from None
        finally:
            if process.returncode is None:
                end(process)
                await process.communicate()
        if process.returncode:
            reason = said.decode(errors="replace")[-2000:]
            _LOG.error("Drawing a picture failed (%s): %s", process.returncode, reason)
            raise StoreExhaustedError("the process that drew the picture failed", where=location)
        result: Drawn = pickle.loads(found)
        return result


def main() -> None:
    """Draw the picture requested on standard input, and write it to standard output, both pickled."""
    location, wanted, memory = pickle.load(sys.stdin.buffer)
    # If the service is gone, nothing else would end its requests.
    limit(resource.RLIMIT_CPU, SECONDS)
    rules = open(location)
    # Reading opens the database: its threads reserve memory, the more the more processors there are.
    rules.session.store.graphs()
    with_memory(memory)
    sys.stdout.buffer.write(pickle.dumps(drawn(rules, wanted), pickle.HIGHEST_PROTOCOL))


def drawn(rules: Rules, wanted: PictureRequest) -> Drawn:
    """Draw a picture of an opened store; raises `StoreError` when it cannot be read."""
    store = rules.session.store
    assert isinstance(store, FolderStore)
    generation = store.state()[0]
    try:
        return generation, map_page(PageContext(rules), wanted)
    except RulesgraphError as error:
        return generation, told(error)
