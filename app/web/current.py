"""Give each request the newest state of a store's folder."""

from __future__ import annotations

import logging
import os
import sys
import threading
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import distributions, version
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ...loaders.http.addresses import without_password
from ...loaders.store import open_store
from ...loaders.store.folder import FolderStore
from ...ontology import RulesgraphError, StoreError, UsageError
from ..python.rules import Rules

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One state of the store. A request that holds it sees this state to its end, whatever is built.

    `rules` never switch to another state; `digest` identifies the state and the version of the program.
    """

    rules: Rules
    generation: int
    digest: str

    def etag(self, *parts: str) -> str:
        """Return the entity tag of an answer that `parts` (the request and its form) determine.

        It is a weak one: compressed or not, the answer is the same.
        """
        return f'W/"{sha256(chr(0).join((self.digest, *parts)).encode()).hexdigest()[:24]}"'

    @property
    def edition(self) -> str:
        """The id of the current edition, or ``""``."""
        return next((it.id for it in self.rules.editions if it.current), "")

    def __str__(self) -> str:
        if not self.rules.editions:
            return f"generation {self.generation}, without editions (`rulesgraph build` loads them)"
        return f"generation {self.generation}, editions: {len(self.rules.editions)}, current: {self.edition}"


class Current:
    """The newest state of a store, opened once; the previous one is closed after its last request.

    A state that cannot be opened is logged, and the previous one stays in use. Threads may share it.

    Raises `StoreError` when there is nothing to open yet, `UsageError` for a store that is not a folder.
    """

    def __init__(self, location: str | Path) -> None:
        self.location = str(location)
        self._pointer = os.path.join(self.location, "rulesgraph.json")
        self._opening = threading.Lock()
        self._seen = self._sign()
        self._snapshot = self._open()

    def now(self) -> Snapshot:
        """Return the newest open state; a newer one is opened meanwhile, for the next request."""
        if self._sign() != self._seen and self._opening.acquire(blocking=False):
            threading.Thread(target=self._renew, name="renew", daemon=True).start()
        return self._snapshot

    def _sign(self) -> tuple[int, int] | None:
        """Return a value that changes with the pointer, which is replaced and never written to."""
        try:
            found = os.stat(self._pointer)
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns

    def _renew(self) -> None:
        sign = self._sign()
        try:
            self._snapshot = self._open()
            _LOG.info("Serving %s", self._snapshot)
        except RulesgraphError as error:
            _LOG.warning("Still serving the previous state: %s", error)
        finally:
            self._seen = sign
            self._opening.release()

    def _open(self) -> Snapshot:
        store = open_store(self.location)
        if not isinstance(store, FolderStore):
            raise UsageError("only a store in a folder can be served", where=without_password(self.location))
        rules = Rules(store)
        generation, state = store.state()
        # The common data of all questions is read now rather than by the first requests at once.
        rules.session.scope()
        return Snapshot(rules, generation, digest_of(state, store.base))


def snapshot_of(request: Request) -> Snapshot:
    """Return the state in use when a request begins; call it once for each request."""
    current: Current = request.app.state.current
    return current.now()


def health(request: Request) -> Response:
    """Say which state of the store is served, without waiting; 503 if its files are not all there."""
    state = snapshot_of(request)
    told = {"version": version("rulesgraph"), "edition": state.edition, "generation": state.generation}
    store = state.rules.session.store
    assert isinstance(store, FolderStore)
    status, found = 200, "ok"
    try:
        store.verify_files(all_bytes=False)
    except StoreError as error:
        _LOG.error("%s", error)
        status, found = 503, "the store cannot be read"
    return JSONResponse({"status": found, **told}, status, {"Cache-Control": "no-store"})


def digest_of(*signs: str) -> str:
    """Return a digest that identifies what this version of the program makes from `signs`."""
    return sha256("\n".join((*signs, version("rulesgraph"))).encode()).hexdigest()


@cache
def program_digest() -> str:
    """Return a digest of the installed program: its files, and the packages that it uses.

    Unlike a version number, it also changes between two releases.
    """
    found = sha256("\n".join(sorted(f"{it.name} {it.version}" for it in distributions())).encode())
    for room in ("ontology", "loaders", "queries", "viz", "app"):
        for folder in sys.modules[f"rulesgraph.{room}"].__path__:
            for file in sorted(it for it in Path(folder).rglob("*") if it.is_file()):
                if "__pycache__" not in file.parts:
                    found.update(str(file).encode() + file.read_bytes())
    return found.hexdigest()
