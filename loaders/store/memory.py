"""Keep a store in memory, without a trace on disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

import pyoxigraph

from ...ontology.errors import StoreLockedError, StoreMissingError
from .local import LocalRewrite, LocalStore
from .protocol import MEMORY, Meta, settle_base


class MemoryStore(LocalStore):
    """A store that lives and ends with the process. Its queries cannot be stopped: `timeout` is not kept."""

    folder: str | None = None

    def __init__(self) -> None:
        super().__init__(MEMORY, pyoxigraph.Store())
        self._base: str | None = None
        self._writing = Lock()

    def meta(self) -> Meta:
        """Return the base and the format; raise `StoreMissingError` before the first rewrite."""
        if self._base is None:
            raise StoreMissingError("nothing was built into this store yet", where=self.location)
        return Meta(self._base)

    def close(self) -> None:
        """Do nothing: the store ends with the process."""

    def refresh(self) -> bool:
        """Return True: what is in memory may have changed in its place."""
        return True

    @contextmanager
    def rewrite(self, *, base: str | None = None) -> Iterator[LocalRewrite]:
        """Change a copy, and put it in the place of the store when the block ends well."""
        settled = settle_base(self._base, base, self.location)
        if not self._writing.acquire(blocking=False):
            raise StoreLockedError("the store is being written to already", where=self.location)
        try:
            copy = pyoxigraph.Store()
            copy.bulk_extend(self._store)
            rewrite = LocalRewrite(self.location, copy, settled)
            yield rewrite
            rewrite.close()
            self._store, self._base = copy, settled
        finally:
            self._writing.release()
