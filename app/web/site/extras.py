"""The files of a site other than pages: redirects for w3id.org, and sitemaps."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.sax.saxutils import escape

from ..pages.addresses import GROUPED_BY, NOTATIONS
from ..pages.page_table import NAMES, THINGS

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


def robots(home: str) -> str:
    """Return the file that lets crawlers read everything and names the sitemap."""
    return f"User-agent: *\nAllow: /\n\nSitemap: {home}sitemap.xml\n"


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
