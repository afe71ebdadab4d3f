"""Jobs become files of a site, in any of several processes: pages, and what is known of things as data."""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from ....queries.export.extract import without_words
from ...python.rules import Rules, open
from ..linked.data import FORMATS, statements, written
from ..pages.map import WORDS
from ..pages.press import Press
from ..pages.shelf import Shelf
from ..pages.whole import home_of, page_at
from .copying import SiteFolder, file_of

_LINKS = re.compile(r'(?:href|src|action)="([^"]*)"')
_HERE = "site.invalid"


class SitePart(NamedTuple):
    """A part of the work: the pages at some addresses, and the data of some things (IRIs)."""

    store: str
    words: bool
    pages: tuple[str, ...]
    things: tuple[str, ...]


class MadePart(NamedTuple):
    """What became of a part: name → digest of each file, the pages, and the files that pages link to.

    `leads` are addresses that lead to the page of something else, with its address.
    """

    files: dict[str, str]
    pages: dict[str, str]
    links: dict[str, str]


_FOLDER: list[SiteFolder] = []
_SHELF: list[Shelf] = []


def begin(folder: SiteFolder, shelf: Shelf | None) -> None:
    """Say where files go, before processes are started; a shelf only for a store that no other can open."""
    _FOLDER[:] = [folder]
    _SHELF[:] = [shelf] if shelf else []


@lru_cache(maxsize=1)
def _opened(store: str, words: bool) -> Shelf:
    rules: Rules = open(store)
    return Shelf(rules, live=False, words=words)


def make(part: SitePart) -> MadePart:
    """Draft the files of a part."""
    shelf = _SHELF[0] if _SHELF else _opened(part.store, part.words)
    folder = _FOLDER[0]
    made = MadePart({}, {}, {})
    for address in part.pages:
        home = home_of(shelf, address)
        page = page_at(shelf, address) if home == address else None
        if page is None or page.address != address:
            led = _leading(shelf, address, page.address if page else home)
            made.files.update([folder.draft(address, led.encode())])
            continue
        made.files.update([folder.draft(address, page.html.encode())])
        made.pages[address] = str(page.modified or "")
        if page.words:
            made.files.update([folder.draft(WORDS, page.words.encode())])
        for link in links_of(page.html, address):
            made.links.setdefault(link, address)
    for iri in part.things:
        known = statements(shelf, iri)
        if not part.words:
            passes = without_words()
            known = [it for it in known if passes(f"{it} .")]
        for ending in FORMATS:
            content = written(shelf, known, ending)
            if content:
                made.files.update([folder.draft(f"{iri[len(shelf.iris.base) :]}.{ending}", content)])
    return made


def _leading(shelf: Shelf, address: str, target: str) -> str:
    """Return a page that leads to another one of the site."""
    press = Press(shelf, target, at=address)
    return press.page("leading", "Elsewhere", target=press.links.to(target)).html


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
    """Return the file of the site that a link in a folder of it leads to; ``""`` where it leads elsewhere."""
    target = urlsplit(urljoin(f"http://{_HERE}/{folder}/", link))
    if target.netloc != _HERE:
        return ""
    path = target.path.lstrip("/")
    return file_of(path + "index.html" if path.endswith("/") or not path else path)
