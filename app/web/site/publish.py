"""Publish a store as a static site, using all processors."""

from __future__ import annotations

import gzip
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from ....loaders.store.folder import FolderStore
from ....loaders.workers import Progress, Workers
from ....ontology.errors import UsageError
from ....ontology.grouping import grouped
from ....queries.export.extract import without_words
from ...files import naming
from ...python.rules import Rules, open
from ..current import digest_of, program_digest
from ..linked.data import FORMATS, OF_FILES, statements, written
from ..pages.addresses import document_of
from ..pages.asking import search_files
from ..pages.layout import EDITOR, PageContext, PageLayout, static_files
from ..pages.page_table import NAMES, THINGS, addresses_of, home_of, page_at, things_of
from ..pages.pictures import WORDS
from .extras import redirects, robots, sitemaps
from .folder import SiteFolder, file_of, site_folder

BATCH = 60
"""The number of things in one part of the work."""


@dataclass(frozen=True, slots=True)
class Publication:
    """The content of a site, and what became of its former files.

    Attributes:
        files: how many files it has.
        pages: how many of them are pages.
        written: how many files are new or have other bytes than before.
        removed: how many were removed.
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
    progress: Progress | None = None,
) -> Publication:
    """Write the site of a store into a folder; see `rulesgraph.publish`."""
    context = PageContext(rules, live=False, words=words, home=address)
    if not context.editions:
        raise UsageError("nothing is loaded", way_out="`rulesgraph build` loads it.")
    with naming(place), site_folder(place) as folder:
        state = _state(rules, words, address)
        if state and folder.state == state and (files := folder.whole()):
            return Publication(len(files), folder.pages, 0, 0)
        return _published(context, folder, state, progress or (lambda *_: None))


def _published(context: PageContext, folder: SiteFolder, state: str, tell: Progress) -> Publication:
    """Write all files of a site."""
    alone = not isinstance(context.rules.session.store, FolderStore)
    begin(folder, context if alone else None)
    parts = list(_parts(context, context.rules.location))
    made = MadePart({}, {}, {})
    with Workers(1 if alone else None) as workers:
        for done in workers.map(make, parts, lambda k: tell("Making pages", k, len(parts)), start=True):
            made.files.update(done.files)
            made.pages.update(done.pages)
            for link, page in done.links.items():
                made.links.setdefault(link, page)
    for name, content in _others(context, made):
        made.files.update([folder.draft(name, content)])
    broken = tuple((link, made.links[link]) for link in sorted(made.links.keys() - made.files.keys()))
    for name, digest in made.files.items():
        folder.keep(name, digest)
    written, removed = folder.finish("" if broken else state, len(made.pages))
    return Publication(len(made.files), len(made.pages), written, removed, broken)


def _state(rules: Rules, *told: object) -> str:
    """Return a name for everything that a site is made from; ``""`` for a store of unknown state."""
    store = rules.session.store
    if not isinstance(store, FolderStore):
        return ""
    return digest_of(store.state()[1], store.meta().base, program_digest(), *map(str, told))


def _parts(context: PageContext, store: str) -> Iterator[SitePart]:
    """Yield the work, that of each edition together; long work comes first."""
    by_edition = grouped((edition or context.newest.id, page) for page, edition in addresses_of(context))
    seen: set[str] = set()
    for it in context.editions:
        things = [iri for iri in things_of(context, it.id) if iri not in seen]
        seen.update(things)
        stems = [iri[len(context.iris.base) :] for iri in things]
        for pages in _batches(by_edition.get(it.id, []), 6):
            yield SitePart(store, context.words, context.home, tuple(pages), ())
        for k in range(0, len(things), BATCH):
            pages = tuple(f"{stem}.html" for stem in stems[k : k + BATCH])
            yield SitePart(store, context.words, context.home, pages, tuple(things[k : k + BATCH]))
        seen.add(context.iris.edition(it.id))
        yield SitePart(store, context.words, context.home, (), (context.iris.edition(it.id),))
    alone = tuple(context.iris.base + name for name in NAMES)
    yield SitePart(store, context.words, context.home, (), alone)
    rest = [it for it in _named_things(context) if it not in seen]
    for batch in _batches(rest, BATCH):
        pages = tuple(f"{iri[len(context.iris.base) :]}.html" for iri in batch)
        yield SitePart(store, context.words, context.home, pages, tuple(batch))


def _named_things(context: PageContext) -> list[str]:
    """Return the IRIs of all things with files on a site that any graph names, as exported."""
    session, base = context.session, context.iris.base
    named = re.compile(rf"<({re.escape(base)}[^>#]+/[^>#]+)")
    found: set[str] = set()
    # Things that only cards name have no page: a site has none of cards.
    own = [it for it in session.store.graphs() if THINGS.get(it[len(base) :].partition("/")[0])]
    for graphs in (own, *(session.scope(it.id).named_graphs for it in context.editions)):
        store = session.holding(graphs)
        for graph in graphs:
            found.update(it for line in store.graph_lines(graph) for it in named.findall(line))
    things = {document_of(context.iris, it) for it in found}
    return sorted(it for it in things if THINGS.get(it[len(base) :].partition("/")[0]))


def _batches(given: Sequence[str], size: int) -> Iterable[Sequence[str]]:
    return (given[at : at + size] for at in range(0, len(given), size))


def _others(context: PageContext, made: MadePart) -> Iterator[tuple[str, bytes]]:
    """Yield everything that is no page and no data of a thing."""
    for name, content in static_files().items():
        # A static site runs no queries.
        if not name.startswith(EDITOR):
            yield f"static/{name}", content
    for name, text in search_files(context).items():
        yield name, text.encode()
    out = io.BytesIO()
    context.rules.export("nquads", out, words=context.words)
    yield f"download/{OF_FILES}", gzip.compress(out.getvalue(), 6, mtime=0)
    yield "w3id/.htaccess", redirects(context.home).encode()
    yield ".nojekyll", b""
    yield "robots.txt", robots(context.home).encode()
    yield "404.html", not_found(context).encode()
    for name, text in sitemaps(context.home, made.pages).items():
        yield name, text.encode()


def not_found(context: PageContext) -> str:
    """Return the page that a host of files shows for any missing address."""
    layout = PageLayout(context, "404.html", root=urlsplit(context.home).path or "/")
    said = "There is no page at this address."
    return layout.page("missing", "Page not found", status=404, said=said, stands=False, near=()).html


_LINKS = re.compile(r'(?:href|src|action)="([^"]*)"')
_HERE = "site.invalid"


class SitePart(NamedTuple):
    """A part of the work: the pages at some addresses, and the data of some things (IRIs)."""

    store: str
    words: bool
    home: str
    pages: tuple[str, ...]
    things: tuple[str, ...]


class MadePart(NamedTuple):
    """The result of a part: name → digest of each file, the pages, and the files that pages link to."""

    files: dict[str, str]
    pages: dict[str, str]
    links: dict[str, str]


_FOLDER: list[SiteFolder] = []
_CONTEXT: list[PageContext] = []


def begin(folder: SiteFolder, context: PageContext | None) -> None:
    """Say where files go, before processes are started; a context only for a store that they cannot open."""
    _FOLDER[:] = [folder]
    _CONTEXT[:] = [context] if context else []


@lru_cache(maxsize=1)
def _opened(store: str, words: bool, home: str) -> PageContext:
    rules: Rules = open(store)
    return PageContext(rules, live=False, words=words, home=home)


def make(part: SitePart) -> MadePart:
    """Draft the files of a part."""
    context = _CONTEXT[0] if _CONTEXT else _opened(part.store, part.words, part.home)
    folder = _FOLDER[0]
    made = MadePart({}, {}, {})
    for address in part.pages:
        home = home_of(context, address)
        page = page_at(context, address) if home == address else None
        if page is None or page.address != address:
            led = _leading(context, address, page.address if page else home)
            made.files.update([folder.draft(address, led.encode())])
            continue
        made.files.update([folder.draft(address, page.html.encode())])
        made.pages[address] = str(page.modified or "")
        if page.words:
            made.files.update([folder.draft(WORDS, page.words.encode())])
        for link in links_of(page.html, address):
            made.links.setdefault(link, address)
    for iri in part.things:
        known = statements(context, iri)
        if not part.words:
            passes = without_words()
            known = [it for it in known if passes(f"{it} .")]
        for ending in FORMATS:
            content = written(context, known, ending)
            if content:
                made.files.update([folder.draft(f"{iri[len(context.iris.base) :]}.{ending}", content)])
    return made


def _leading(context: PageContext, address: str, target: str) -> str:
    """Return a page that redirects to another one of the site."""
    layout = PageLayout(context, target, at=address)
    return layout.page("leading", "On another page", target=layout.links.to(target)).html


def links_of(html: str, address: str) -> set[str]:
    """Return the files of the site that a page links to.

    >>> sorted(links_of('<a href="../a&#39;s.html#x"> <a href="//x.example"> <a href="./">', "b/c.html"))
    ["a's.html", 'b/index.html']
    """
    folder = address.rpartition("/")[0]
    # A link without a path is one to the page itself.
    links = {re.split("[#?]", unescape(it), maxsplit=1)[0] for it in _LINKS.findall(html)}
    found = {_file_behind(folder, it) for it in links if it}
    return {it for it in found if it}


@lru_cache(maxsize=100_000)
def _file_behind(folder: str, link: str) -> str:
    """Return the file of the site that a link in a folder of it leads to; ``""`` if it leads elsewhere."""
    target = urlsplit(urljoin(f"http://{_HERE}/{folder}/", link))
    if target.netloc != _HERE:
        return ""
    path = target.path.lstrip("/")
    return file_of(path + "index.html" if path.endswith("/") or not path else path)
