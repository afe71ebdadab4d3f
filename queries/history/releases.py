"""Follow paragraphs through releases of a rulings site, or of tournament rules.

Their history is not in the store: the words of two releases are compared on demand.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from itertools import chain, pairwise

from ...loaders.history.items import Item
from ...loaders.history.lives import bundled_lives
from ...ontology import UnknownNameError, grouped
from ..session import Edition, Session
from .links import PathLinks, Step, rows_along
from .rows import HistoryRow

Units = dict[str, Item]
"""IRI → paragraph or ruling; its key is its number, or the number or heading above it."""


def release_called(session: Session, name: str) -> Edition | None:
    """Return the loaded release with an id or date, unless that is an edition of the comprehensive rules."""
    found = [it for it in session.editions() if it.issued and name in (it.id, str(it.issued))]
    if not found or any(it.has_history for it in found) or f"cr-{name}" in bundled_lives().editions:
        return None
    return found[0]


def releases_beside(session: Session, release: Edition) -> list[Edition]:
    """Return the releases of the same text, oldest first: of the rulings, of one of the tournament rules."""
    return sorted(
        (it for it in session.editions() if it.issued and _kind(it) == _kind(release)),
        key=lambda it: it.age_key,
    )


def _kind(edition: Edition) -> tuple[str, str]:
    return str(edition.documents[0].kind), edition.id.partition("-")[0]


def units_of_both(session: Session, before: Edition, after: Edition) -> tuple[Units, Units, tuple[str, ...]]:
    """Return the units of two releases, of the pages that both have, and a note on the pages of only one."""
    one, other = pages_of(before), pages_of(after)
    alone = sorted(ids[page] for ids in (one, other) for page in one.keys() ^ other.keys() if page in ids)
    notes = (f"Not compared, because only one release is loaded: {', '.join(alone)}.",) if alone else ()
    old, new = (_units(session, [ids[it] for it in ids if it in one and it in other]) for ids in (one, other))
    return old, new, notes


def pages_of(release: Edition) -> dict[str, str]:
    """Return page → id of the document, for the pages of a release; a page has one name in all of them."""
    return {it.id.removeprefix(release.id): it.id for it in release.documents}


def _units(session: Session, documents: Sequence[str]) -> Units:
    graphs = tuple(session.iris.document(it) for it in documents)
    rows = session.run("history", "units", graphs) if graphs else []
    return {
        str(unit): Item(str(unit), str(own or above or heading or ""), str(text))
        for unit, own, above, heading, text in rows
    }


class PageHistory:
    """The releases on a path that have the page on which the first of them has paragraphs of a name.

    `starts` are those paragraphs. Raises `UnknownNameError` if the first of the path has none.
    """

    def __init__(self, session: Session, name: str, path: Sequence[Edition]) -> None:
        self._session = session
        self._read: dict[str, Units] = {}
        for page in pages_of(path[0]):
            self._page = page
            self.starts = [it for it in self._units(path[0]).values() if _is_called(it.key, name)]
            if self.starts:
                self.path = [it for it in path if page in pages_of(it)]
                return
        raise UnknownNameError("paragraph", name, (), f"not in {path[0].id}")

    def _units(self, release: Edition) -> Units:
        document = pages_of(release)[self._page]
        if document not in self._read:
            self._read[document] = _units(self._session, [document])
        return self._read[document]

    def outline(self, _: Session, release: Edition, only: Collection[str] | None = None) -> Units:
        """Return the result of `links.outline` for the page in a release."""
        return {iri: it for iri, it in self._units(release).items() if only is None or iri in only}

    def links_along(
        self, _: Session, path: Sequence[Edition], __: Collection[str] | None = None
    ) -> PathLinks:
        """Return the result of `links.links_along` for the page."""
        return [_links(self._units(here), self._units(there)) for here, there in pairwise(path)]

    def rows(self, *, every: bool) -> list[HistoryRow]:
        """Return the rows of `trace` of all those paragraphs."""
        keys = {iri: it.key for release in self.path for iri, it in self._units(release).items()}
        links = self.links_along(self._session, self.path)
        starts = ((it.iri, it.key) for it in self.starts)
        told = (rows_along(self.path, links, it, keys.__getitem__, every=every) for it in starts)
        return [*chain.from_iterable(told)]


def _is_called(key: str, name: str) -> bool:
    """Return whether a paragraph has a name, or is a lettered paragraph of the entry with that number."""
    letters = key[len(name) :]
    return key.casefold().startswith(name.casefold()) and (
        not letters or (name[-1:].isdigit() and letters.isalpha() and letters.islower())
    )


def history_in_releases(session: Session, names: Sequence[str], edition: str) -> tuple[HistoryRow, ...]:
    """Return the rows of `trace` through all releases of an edition's text.

    Each name is followed from the oldest release that has it. Without other releases, or a day, there are no
    rows.
    """
    release = release_called(session, edition)
    known = releases_beside(session, release) if release else []
    rows: list[HistoryRow] = []
    for name in names if len(known) > 1 else ():
        for place in range(len(known)):
            with suppress(UnknownNameError):
                rows += PageHistory(session, name, known[place:]).rows(every=False)
                break
    return tuple(rows)


def _links(here: Units, there: Units) -> Mapping[str, Sequence[Step]]:
    # Imported here because it takes as long as a short question, and only releases of these texts need it.
    from ...loaders.history.matching import changes_between

    found = changes_between([*here.values()], [*there.values()])
    steps = (Step(it.old, it.new, it.kind, it.confidence) for it in found if it.old and it.new)
    return grouped((it.item, it) for it in steps)
