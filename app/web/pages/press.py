"""What all pages share becomes the frame around each: header, question box, editions, footer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from markupsafe import Markup, escape

from ....ontology.json_values import Json
from ....queries.session import Edition
from ..headers import PAGE_POLICY
from .addresses import page_of
from .outline import outline
from .page import Page, Ways
from .shelf import Shelf

if TYPE_CHECKING:
    from jinja2 import Environment

    from ....viz.selection import Passage


@dataclass(frozen=True, slots=True)
class Choice:
    """One edition in the chooser: where it leads to, and whether it is the one that is shown."""

    edition: Edition
    address: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """One notation of what a page tells: its media type, what people call it, and where it is."""

    media: str
    name: str
    address: str


NOTATIONS = (
    ("text/turtle", "Turtle", "ttl"),
    ("application/ld+json", "JSON-LD", "jsonld"),
    ("application/rdf+xml", "RDF/XML", "rdf"),
    ("application/n-triples", "N-Triples", "nt"),
)
"""The notations of linked data: media type, name, ending."""


class Press:
    """Makes the page that belongs at one address, and may be shown `at` another."""

    def __init__(self, shelf: Shelf, address: str, *, at: str = "") -> None:
        self.shelf = shelf
        self.address = address
        self.links = Ways(at or address, live=shelf.live)

    @property
    def rules_link(self) -> str:
        """The link to the contents of the newest edition."""
        return self.links.to(f"edition/{self.shelf.newest.id}.html")

    def asking(self, words: str) -> str:
        """Return the link that asks something in words."""
        return f"{self.links.tool('search')}?{urlencode({'q': words})}"

    def to(self, iri: str) -> str:
        """Return the link to the page of a thing; ``""`` for one of another base."""
        address = page_of(self.shelf.iris, iri) if iri else ""
        return self.links.to(address) if address else ""

    def words(self, passage: Passage, *, but: str = "") -> Markup:
        """Return a passage with what it names linked, but for what is named `but`."""
        pieces = []
        for piece in passage.pieces:
            text = escape(piece.text)
            target = next((it for it in piece.targets if it != but), "")
            link = self.to(target) if target else ""
            pieces.append(f'<a href="{escape(link)}">{text}</a>' if link else text)
        return Markup("".join(pieces))

    def page(
        self,
        template: str,
        title: str,
        *,
        status: int = 200,
        thing: str = "",
        choices: Sequence[Choice] = (),
        described: Json = None,
        modified: date | None = None,
        **shown: object,
    ) -> Page:
        """Return a page made of a template and what it shows.

        Args:
            template: its name, without the ending.
            title: what stands in the window.
            status: see `Page`.
            thing: the IRI of what the page tells of, where its data can be had in notations.
            choices: the editions that the chooser leads to.
            described: what search engines read, in the words of schema.org.
            modified: see `Page`.
            shown: what the template shows.
        """
        html = (
            environment()
            .get_template(f"{template}.html")
            .render(
                frame=self,
                links=self.links,
                title=title,
                thing=thing,
                local=thing.removeprefix(self.shelf.iris.base),
                forms=self._forms(thing),
                choices=choices or self._editions(),
                described=Markup(_embedded(described)) if described else "",
                live=self.shelf.live,
                mapped=self.shelf.live or self.shelf.words,
                policy=PAGE_POLICY,
                canonical=self.shelf.iris.base + self.address.removesuffix("index.html"),
                **shown,
            )
        )
        return Page(status, title, html, self.address, modified or self.shelf.modified)

    def _forms(self, thing: str) -> list[Form]:
        if not thing:
            return []
        stem = thing[len(self.shelf.iris.base) :]
        return [Form(media, name, self.links.to(f"{stem}.{ending}")) for media, name, ending in NOTATIONS]

    def _editions(self) -> list[Choice]:
        return [Choice(it, self.links.to(f"edition/{it.id}.html")) for it in self.shelf.editions]


def _embedded(data: Json) -> str:
    """Return JSON that may stand inside of HTML: no tag can begin in it."""
    text = json.dumps(data, ensure_ascii=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def marked(stretches: Sequence[tuple[str, str]]) -> Markup:
    """Return compared words with what went struck out and what came marked.

    >>> str(marked([("same", "Take"), ("gone", "<three>"), ("come", "four")]))
    'Take <del>&lt;three&gt;</del> <ins>four</ins>'
    """
    tags: Mapping[str, str] = {"same": "{}", "gone": "<del>{}</del>", "come": "<ins>{}</ins>"}
    return Markup(" ").join(Markup(tags[what]).format(words) for what, words in stretches)


EDITOR = "editor.js"
"""The bundle of the editor for queries, among the static files where it was built (`make editor`)."""


@cache
def static_files() -> dict[str, bytes]:
    """Return what pages need besides themselves, by name: style, script, drawing, and the editor."""
    folder = resources.files(__package__) / "static"
    return {it.name: it.read_bytes() for it in sorted(folder.iterdir(), key=lambda it: it.name)}


@cache
def environment() -> Environment:
    """Return what fills the templates: whatever is put into one is escaped."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    folder = resources.files(__package__) / "templates"
    made = Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        loader=FunctionLoader(lambda name: (folder / name).read_text(encoding="utf-8")),
    )
    made.filters |= {"day": day, "outline": outline}
    return made


def day(value: date | None) -> str:
    """Return a day as people write it.

    >>> day(date(2026, 1, 16)), day(None)
    ('16 January 2026', 'undated')
    """
    return f"{value.day} {value:%B %Y}" if value else "undated"
