"""The editions of one state of a store, each read at once when it is first looked at."""

from __future__ import annotations

from collections import OrderedDict
from datetime import date
from functools import cached_property

from ....ontology.errors import UnknownNameError
from ....queries.session import Edition, unknown_edition
from ....queries.session.editions import with_history
from ...python.rules import Rules
from .bygone import Bygone
from .volume import Volume

KEPT = 4
"""How many editions are held in memory."""


class Shelf:
    """What pages are made from: the rules of one state of a store.

    Attributes:
        rules: the front door.
        live: true where a server answers questions, false on a static site.
        words: false where nothing may be told that a document says.
        past: what became of things through the editions.
    """

    def __init__(self, rules: Rules, *, live: bool = True, words: bool = True) -> None:
        self.rules = rules
        self.session = rules.session
        self.iris = rules.session.iris
        self.live = live
        self.words = words
        self.past = Bygone(self.session, at_once=not live)
        self._volumes: OrderedDict[str, Volume] = OrderedDict()

    @property
    def editions(self) -> tuple[Edition, ...]:
        """All editions, the newest first."""
        return self.rules.editions

    @cached_property
    def newest(self) -> Edition:
        """The edition that is looked at unless another is named; raises `UnknownNameError` for none."""
        for edition in self.editions:
            if edition.current:
                return edition
        raise UnknownNameError("edition", "newest", (), "nothing is loaded; `rulesgraph build` loads it")

    @cached_property
    def followed(self) -> tuple[Edition, ...]:
        """The editions that have a history, oldest first."""
        return tuple(with_history(self.editions))

    @property
    def modified(self) -> date | None:
        """The day of the newest edition."""
        return self.editions[0].issued if self.editions else None

    def edition(self, name: str) -> Edition:
        """Return an edition by its id or its date; raises `UnknownNameError` for one that is not loaded."""
        for edition in self.editions:
            if name in (edition.id, str(edition.issued)):
                return edition
        raise unknown_edition(name, self.editions)

    def in_force(self, day: date) -> Edition | None:
        """Return the edition of the comprehensive rules that was in force on a day."""
        past = [it for it in self.followed if it.issued and it.issued <= day]
        return past[-1] if past else None

    def volume(self, edition: str) -> Volume:
        """Return an edition, read; the ones looked at last are kept."""
        if edition not in self._volumes:
            self._volumes[edition] = Volume(self.session, self.edition(edition), words=self.words)
            while len(self._volumes) > KEPT:
                self._volumes.popitem(last=False)
        self._volumes.move_to_end(edition)
        return self._volumes[edition]
