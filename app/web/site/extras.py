"""What a site has beside its pages: redirects for w3id.org, sitemaps, and an index of words."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from xml.sax.saxutils import escape

from ....ontology.iris import unaccented
from ....ontology.json_values import Json
from ..pages.addresses import NOTATIONS, page_of
from ..pages.layout import PageContext
from ..pages.overview import named_things
from ..pages.page_table import NAMES, THINGS

MOST = 50_000
"""How many addresses one map of a site may have (sitemaps.org)."""

_FOLDERS = "|".join(folder for folder, published in THINGS.items() if published)
_THINGS = rf"((?:{_FOLDERS})/.+?|{'|'.join(map(re.escape, NAMES))})"


def redirects(address: str) -> str:
    """Return the rules for Apache that lead from things to their pages and data at `address`.

    They are meant for the folder of the project at w3id.org.
    """
    address = address.rstrip("/") + "/"
    lines = [
        "# From each thing to what is known of it, in the form that is wanted (303: it is no thing).",
        "Options -MultiViews",
        "RewriteEngine on",
        rf"RewriteRule ^(.*\.(?:html|ttl|jsonld|rdf|nt|json|xml|gz|txt))$ {address}$1 [R=302,L,NE]",
    ]
    for media, _, ending in NOTATIONS:
        wanted = re.escape(media).replace("/", r"\/")
        lines += [
            f"RewriteCond %{{HTTP_ACCEPT}} {wanted}",
            f"RewriteRule ^{_THINGS}$ {address}$1.{ending} [R=303,L,NE]",
        ]
    lines += [
        f"RewriteRule ^{_THINGS}$ {address}$1.html [R=303,L,NE]",
        rf"RewriteRule ^\.well-known/void$ {address}dataset.ttl [R=302,L]",
        f"RewriteRule ^$ {address} [R=302,L]",
    ]
    return "\n".join(lines) + "\n"


def robots(home: str) -> str:
    """Return what tells crawlers that all may be read, and where the map of the site is."""
    return f"User-agent: *\nAllow: /\n\nSitemap: {home}sitemap.xml\n"


def sitemaps(home: str, pages: Mapping[str, str]) -> dict[str, str]:
    """Return the maps of a site, by file: one, or where there are many pages an index of several.

    They stand below `home`; `pages` are addresses with the day of their last change, or ``""``.
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


CHUNK = 100
"""How many passages stand in one file."""

_WORD = re.compile(r"[a-z0-9]+(?:\.[0-9]+[a-z]*)?")


def index_files(context: PageContext, edition: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the index of an edition: passages by number, and words by their first two letters.

    A passage is [name, address, words]; a word leads to pairs of a passage and a weight.
    """
    passages: list[Json] = []
    found: dict[str, dict[str, list[list[int]]]] = defaultdict(dict)
    for it in named_things(context, edition):
        text = " ".join(passage.text for passage in it.passages)
        weights: dict[str, int] = {}
        for word in words_of(text):
            weights[word] = min(weights.get(word, 0) + 1, 5)
        for word in words_of(f"{it.number} {it.label}"):
            weights[word] = weights.get(word, 0) + 8
        for word, weight in sorted(weights.items()):
            found[word[:2]].setdefault(word, []).append([len(passages), weight])
        passages.append([it.label, page_of(context.iris, it.iri), text])
    for at in range(0, len(passages), CHUNK):
        yield f"search/passages-{at // CHUNK}.json", _json(passages[at : at + CHUNK])
    for start, words in sorted(found.items()):
        yield f"search/words-{start}.json", _json(dict(sorted(words.items())))
    yield "search/index.json", _json({"count": len(passages), "chunk": CHUNK, "starts": sorted(found)})


def words_of(text: str) -> Iterable[str]:
    """Return the words of a text as the index has them; the script of the page does the same.

    >>> list(words_of("Moths, 704.5a: the Dandân's!"))
    ['moth', '704.5a', 'the', 'dandan', 's']
    """
    for word in _WORD.findall(unaccented(text).lower()):
        yield word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _json(data: Json) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
