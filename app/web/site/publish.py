"""A store becomes a site in a folder, by as many processes as there are processors."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ....loaders.store.folder import FolderStore
from ....loaders.workers import Telling, Workers
from ....ontology.errors import UsageError
from ...python.rules import Rules
from ..linked.offers import OF_FILES
from ..pages.names import names
from ..pages.press import EDITOR, static_files
from ..pages.shelf import Shelf
from ..pages.whole import addresses_of, things_of
from ..versions import digest_of, program_digest
from .copying import SiteFolder, site_folder
from .making import MadePart, SitePart, begin, make
from .redirects import redirects, sitemaps
from .words import index_files

BATCH = 60
"""How many things one part of the work has."""


@dataclass(frozen=True, slots=True)
class Publication:
    """What a site holds, and what became of what was there.

    Attributes:
        files: how many files it has.
        pages: how many of them are pages.
        written: how many files are new or have other bytes than before.
        removed: how many were taken away.
        broken: links between its files that lead nowhere, each with a page that has it; there should be none.
    """

    files: int
    pages: int
    written: int
    removed: int
    broken: tuple[tuple[str, str], ...] = ()


def publish(
    rules: Rules,
    place: str | Path,
    *,
    words: bool = True,
    address: str = "",
    progress: Telling | None = None,
) -> Publication:
    """Write the site of a store into a folder; see `rulesgraph.publish`."""
    shelf = Shelf(rules, live=False, words=words)
    if not shelf.editions:
        raise UsageError("nothing is loaded", way_out="`rulesgraph build` loads it.")
    with site_folder(place) as folder:
        state = _state(rules, words, address)
        if state and folder.state == state and (files := folder.whole()):
            return Publication(len(files), folder.pages, 0, 0)
        return _published(shelf, folder, state, address or shelf.iris.base, progress or (lambda *_: None))


def _published(shelf: Shelf, folder: SiteFolder, state: str, address: str, tell: Telling) -> Publication:
    """Write all that a site has."""
    alone = not isinstance(shelf.rules.session.store, FolderStore)
    begin(folder, shelf if alone else None)
    parts = list(_parts(shelf, shelf.rules.location))
    made = MadePart({}, {}, {})
    with Workers(1 if alone else None) as workers:
        for done in workers.map(make, parts, lambda k: tell("Making pages", k, len(parts)), start=True):
            made.files.update(done.files)
            made.pages.update(done.pages)
            for link, page in done.links.items():
                made.links.setdefault(link, page)
    for name, content in _others(shelf, made, address):
        made.files.update([folder.draft(name, content)])
    broken = tuple((link, made.links[link]) for link in sorted(made.links.keys() - made.files.keys()))
    for name, digest in made.files.items():
        folder.keep(name, digest)
    written, removed = folder.finish("" if broken else state, len(made.pages))
    return Publication(len(made.files), len(made.pages), written, removed, broken)


def _state(rules: Rules, *told: object) -> str:
    """Return a name for all that a site is made from; ``""`` for a store that cannot tell its state."""
    store = rules.session.store
    if not isinstance(store, FolderStore):
        return ""
    return digest_of(store.state()[1], store.meta().base, program_digest(), *map(str, told))


def _parts(shelf: Shelf, store: str) -> Iterator[SitePart]:
    """Yield the work, that of each edition together; what takes long comes first."""
    by_edition: dict[str, list[str]] = {}
    for page, edition in addresses_of(shelf):
        by_edition.setdefault(edition or shelf.newest.id, []).append(page)
    seen: set[str] = set()
    for it in shelf.editions:
        things = [iri for iri in things_of(shelf, it.id) if iri not in seen]
        seen.update(things)
        stems = [iri[len(shelf.iris.base) :] for iri in things]
        for pages in _batches(by_edition.get(it.id, []), 6):
            yield SitePart(store, shelf.words, tuple(pages), ())
        for k in range(0, len(things), BATCH):
            pages = tuple(f"{stem}.html" for stem in stems[k : k + BATCH])
            yield SitePart(store, shelf.words, pages, tuple(things[k : k + BATCH]))
        yield SitePart(store, shelf.words, (), (shelf.iris.edition(it.id),))
    alone = (shelf.iris.dataset(), *(shelf.iris.base + name for name in ("ns", "game", "code", "question")))
    yield SitePart(store, shelf.words, (), alone)


def _batches(given: Sequence[str], size: int) -> Iterable[Sequence[str]]:
    return (given[at : at + size] for at in range(0, len(given), size))


def _others(shelf: Shelf, made: MadePart, address: str) -> Iterator[tuple[str, bytes]]:
    """Yield what is no page and no data of a thing."""
    for name, content in static_files().items():
        # A site of files runs no queries.
        if not name.startswith(EDITOR):
            yield f"static/{name}", content
    yield "names.json", json.dumps(names(shelf, shelf.newest.id), ensure_ascii=False).encode()
    yield from index_files(shelf, shelf.newest.id)
    out = io.BytesIO()
    shelf.rules.export("nquads", out, words=shelf.words)
    yield f"download/{OF_FILES}", gzip.compress(out.getvalue(), 6, mtime=0)
    yield "w3id/.htaccess", redirects(address).encode()
    yield ".nojekyll", b""
    for name, text in sitemaps(shelf.iris.base, made.pages).items():
        yield name, text.encode()
