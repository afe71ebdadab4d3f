"""Publish a store as a static site, using all processors."""

from __future__ import annotations

import gzip
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from html import unescape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit
from xml.sax.saxutils import escape

from ....loaders.store.folder import FolderStore
from ....loaders.temporary import naming
from ....loaders.workers import Progress, Workers
from ....ontology import UsageError, batches, grouped
from ....queries.export.extract import without_words
from ...python.rules import Rules, open
from ..current import digest_of, program_digest
from ..linked.data import ENDINGS, OF_FILES, statements, written
from ..pages.addresses import GROUPED_BY, NOTATIONS, document_of
from ..pages.asking import search_files
from ..pages.layout import EDITOR, PageContext, PageLayout, static_files
from ..pages.page_table import NAMES, THINGS, addresses_of, home_of, page_at, things_of
from ..pages.pictures import WORDS
from .folder import SiteFolder, file_of, site_folder

BATCH = 60
"""The number of things in one part of the work."""


@dataclass(frozen=True, slots=True)
class Publication:
    """The content of a site, and what happened to its former files.

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
    begin(folder, context, alone=alone)
    parts = list(_parts(context))
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
    written, removed = folder.finish(made.files, "" if broken else state, len(made.pages))
    return Publication(len(made.files), len(made.pages), written, removed, broken)


def _state(rules: Rules, *told: object) -> str:
    """Return a name for everything that a site is made from; ``""`` for a store of unknown state."""
    store = rules.session.store
    if not isinstance(store, FolderStore):
        return ""
    return digest_of(store.state()[1], store.base, program_digest(), *map(str, told))


SitePart = tuple[Sequence[str], Sequence[str]]
"""A part of the work: the pages at some addresses, and the data of some things (IRIs)."""


def _parts(context: PageContext) -> Iterator[SitePart]:
    """Yield the work, that of each edition together; long work comes first."""

    def with_pages(things: Sequence[str]) -> SitePart:
        return [f"{iri[len(context.iris.base) :]}.html" for iri in things], things

    by_edition = grouped((edition or context.newest.id, page) for page, edition in addresses_of(context))
    seen: set[str] = set()
    for it in context.editions:
        things = [iri for iri in things_of(context, it.id) if iri not in seen]
        seen.update(things)
        yield from ((pages, ()) for pages in batches(by_edition.get(it.id, []), 6))
        yield from map(with_pages, batches(things, BATCH))
        seen.add(context.iris.edition(it.id))
        yield (), [context.iris.edition(it.id)]
    yield (), [context.iris.base + name for name in NAMES]
    yield from map(with_pages, batches([it for it in _named_things(context) if it not in seen], BATCH))


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


def _others(context: PageContext, made: MadePart) -> Iterator[tuple[str, bytes]]:
    """Yield the files that are neither a page nor the data of a thing."""
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
    yield "robots.txt", f"User-agent: *\nAllow: /\n\nSitemap: {context.home}sitemap.xml\n".encode()
    yield "404.html", not_found(context).encode()
    for name, text in sitemaps(context.home, made.pages).items():
        yield name, text.encode()


def not_found(context: PageContext) -> str:
    """Return the page that a host of files shows for any missing address."""
    layout = PageLayout(context, "404.html", root=urlsplit(context.home).path or "/")
    said = "There is no page at this address."
    return layout.page("missing", "Page not found", status=404, said=said, near=()).html


MOST = 50_000
"""The maximum number of addresses in one sitemap (sitemaps.org)."""

_ONE = "[^/]+"
_FOLDERS = {
    "edition": rf"{_ONE}(?:/(?:sense|list)/{_ONE}/{_ONE}|/{_ONE}/{_ONE}|/{_ONE})?",
    "document": rf"{_ONE}(?:/attribution/{_ONE})?",
    "provision": rf"(?:P{_ONE}|{_ONE}/{_ONE})",  # an id, or an edition with a number
    "dataset": ".+",
    "wording": f".{{{GROUPED_BY}}}",
}
"""The things described in one file of each folder of things, as in `document_of`."""

_THINGS = "|".join(f"{it}/{_FOLDERS.get(it, _ONE)}" for it, published in THINGS.items() if published)
_NAMES = "|".join(map(re.escape, sorted(NAMES, reverse=True)))
_TOLD = rf"({_THINGS}|{_NAMES})(?:(?<=^wording/..)\w+)?(?:/.*)?"
"""An address: what one file describes, and the rest that redirects there."""


def redirects(address: str) -> str:
    """Return the rules for Apache that redirect from things to their pages and data at `address`.

    They are meant for the folder of the project at w3id.org.
    """
    address = address.rstrip("/") + "/"
    lines = [
        "# From each thing to a document about it, in the requested format (303 See Other).",
        "Options -MultiViews",
        "RewriteEngine on",
        rf"RewriteRule ^(.*\.(?:html|ttl|jsonld|rdf|nt|json|xml|gz|txt))$ {address}$1 [R=302,L,NE]",
    ]
    for media, _, ending in NOTATIONS:
        wanted = re.escape(media).replace("/", r"\/")
        lines += [
            f"RewriteCond %{{HTTP_ACCEPT}} {wanted}",
            f"RewriteRule ^{_TOLD}$ {address}$1.{ending} [R=303,L,NE]",
        ]
    lines += [
        f"RewriteRule ^{_TOLD}$ {address}$1.html [R=303,L,NE]",
        rf"RewriteRule ^\.well-known/void$ {address}dataset.ttl [R=302,L]",
        f"RewriteRule ^$ {address} [R=302,L]",
    ]
    return "\n".join(lines) + "\n"


def sitemaps(home: str, pages: Mapping[str, str]) -> dict[str, str]:
    """Return the sitemaps of a site, by file: one, or for many pages an index of several.

    They are below `home`; `pages` are addresses with the day of their last change, or ``""``.
    """
    rows = [_row(home + address.removesuffix("index.html"), pages[address]) for address in sorted(pages)]
    parts = [rows[at : at + MOST] for at in range(0, len(rows), MOST)]
    if len(parts) <= 1:
        return {"sitemap.xml": _map("urlset", rows)}
    named = {f"sitemap-{k}.xml": _map("urlset", part) for k, part in enumerate(parts, start=1)}
    index = [f"<sitemap><loc>{escape(home + name)}</loc></sitemap>" for name in named]
    return {"sitemap.xml": _map("sitemapindex", index), **named}


def _row(address: str, day: str) -> str:
    changed = f"<lastmod>{day}</lastmod>" if day else ""
    return f"<url><loc>{escape(address)}</loc>{changed}</url>"


def _map(kind: str, rows: list[str]) -> str:
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<{kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    return "\n".join([head, *rows, f"</{kind}>", ""])


_LINKS = re.compile(r'(?:href|src|action)="([^"]*)"')
_HERE = "site.invalid"


class MadePart(NamedTuple):
    """The result of a part: name → digest of each file, the pages, and the files that pages link to."""

    files: dict[str, str]
    pages: dict[str, str]
    links: dict[str, str]


_SITE: list[tuple[SiteFolder, Callable[[], PageContext]]] = []


def begin(folder: SiteFolder, context: PageContext, *, alone: bool) -> None:
    """Say what is made and where, before processes are started; each opens the store, unless one is alone."""

    @cache
    def opened() -> PageContext:
        return PageContext(open(context.rules.location), live=False, words=context.words, home=context.home)

    _SITE[:] = [(folder, (lambda: context) if alone else opened)]


def make(part: SitePart) -> MadePart:
    """Draft the files of a part."""
    [(folder, opened)] = _SITE
    context, (pages, things) = opened(), part
    made = MadePart({}, {}, {})
    for address in pages:
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
    for iri in things:
        known = statements(context, iri)
        if not context.words:
            passes = without_words()
            known = [it for it in known if passes(f"{it} .")]
        for ending in ENDINGS:
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
