"""The process in which one picture is made: what is wished for comes in, the page goes out."""

from __future__ import annotations

import pickle
import resource
import sys
from typing import NamedTuple

from ....loaders.store.enclosure import limit, with_memory
from ....loaders.store.folder import FolderStore
from ....ontology.errors import RulesgraphError
from ...python.rules import Rules, open
from ..errors import told
from .map import PictureWish, map_page
from .page import Page
from .shelf import Shelf


class PictureJob(NamedTuple):
    """What to draw from the store at a place, in at most so many seconds of computing and bytes of memory.

    The memory is what may be used beyond what is needed to open the store.
    """

    location: str
    wish: PictureWish
    seconds: int
    memory: int


class PictureOutcome(NamedTuple):
    """The page, or the status and the sentence that say why there is none, and of which generation."""

    generation: int
    page: Page | None = None
    status: int = 200
    reason: str = ""


def main() -> None:
    """Do the job that stands on standard input, pickled, and write its outcome to standard output."""
    job: PictureJob = pickle.load(sys.stdin.buffer)
    # Where the service is gone, nobody else ends what it had asked for.
    limit(resource.RLIMIT_CPU, job.seconds)
    rules = open(job.location)
    with_memory(job.memory)
    sys.stdout.buffer.write(pickle.dumps(drawn(rules, job.wish), pickle.HIGHEST_PROTOCOL))


def drawn(rules: Rules, wish: PictureWish) -> PictureOutcome:
    """Return what comes of a wish in an opened store; raises `StoreError` when it cannot be read."""
    store = rules.session.store
    assert isinstance(store, FolderStore)
    generation = store.state()[0]
    try:
        return PictureOutcome(generation, map_page(Shelf(rules), wish))
    except RulesgraphError as error:
        return PictureOutcome(generation, None, *told(error))
