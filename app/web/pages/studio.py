"""Pictures that take seconds are made in a process of their own: pages are answered meanwhile."""

from __future__ import annotations

import asyncio
import logging
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from ....ontology.errors import StoreExhaustedError, StoreTimeoutError
from ..sparql.turns import CrowdedError
from .easel import PictureJob, PictureOutcome
from .map import PictureWish

if TYPE_CHECKING:
    from ..current import Snapshot

_PROCESS = f"from {__package__}.easel import main; main()"

_LOG = logging.getLogger(__name__)

WAITING = 8
"""How many pictures may be asked for and not be made yet."""

SECONDS = 150
"""How long one may take: the longest, the map through all editions, takes a minute."""


class Studio:
    """Makes one picture after the other, each in a process that ends with it; for one loop at a time."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "pictures")
        self._process: subprocess.Popen[bytes] | None = None
        self._asked = 0
        self._closed = False

    async def make(self, snapshot: Snapshot, wish: PictureWish, memory: int) -> PictureOutcome:
        """Return what a process made of the newest state of the store; it says which one that was.

        It may use so many bytes of `memory` beyond the opened store.

        Raises `CrowdedError` where too many wait, `StoreTimeoutError` and `StoreExhaustedError`.
        """
        if self._asked >= WAITING:
            raise CrowdedError
        self._closed = False
        self._asked += 1
        try:
            job = PictureJob(snapshot.rules.session.store.location, wish, SECONDS, memory)
            return await asyncio.get_running_loop().run_in_executor(self._thread, self._run, job)
        finally:
            self._asked -= 1

    def close(self) -> None:
        """End the process that is at work, if one is; what waits for it is not begun."""
        self._closed = True
        process = self._process  # the thread may be done with it meanwhile
        if process is not None:
            process.kill()

    def _run(self, job: PictureJob) -> PictureOutcome:
        if self._closed:
            raise StoreExhaustedError("the service ends", where=job.location)
        pipe = subprocess.PIPE
        command = [sys.executable, "-P", "-c", _PROCESS]
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
            self._process = process
            if self._closed:  # by who saw no process yet
                process.kill()
            try:
                made, said = process.communicate(pickle.dumps(job), SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                raise StoreTimeoutError(
                    f"the picture took longer than {SECONDS} s",
                    where=job.location,
                    way_out="Ask for less of it: fewer editions, or what is around a thing.",
                ) from None
            finally:
                self._process = None
        if process.returncode:
            if self._closed:
                raise StoreExhaustedError("the service ends", where=job.location)
            end = said.decode(errors="replace")[-2000:]
            _LOG.error("A picture broke off (%s): %s", process.returncode, end)
            raise StoreExhaustedError("the process that drew the picture broke off", where=job.location)
        found = pickle.loads(made)
        assert isinstance(found, PictureOutcome)
        return found
