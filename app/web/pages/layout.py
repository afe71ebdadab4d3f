"""The layout that all pages share: header, question box, editions, footer, and how links are written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property, lru_cache
from html import unescape
from importlib import resources
from textwrap import shorten
from urllib.parse import urlencode

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

from ....ontology import UnknownNameError
from ....ontology.json_values import Json, json_in_html
from ....queries import scripts
from ....queries.session import Edition, edition_called, with_history
from ....viz.selection import Passage
from ...python.rules import Rules
from ..headers import PAGE_POLICY
from .addresses import NOTATIONS, PageLinks, page_of
from .edition_snapshot import EditionSnapshot, History

_ABOUT = "the rules of Magic: The Gathering as a graph of terms, rules and their history, with the evidence."

KEPT = 4
"""The number of editions kept in memory."""


class PageContext:
    """The source of all pages: the rules of one state of a store.

    Attributes:
        rules: the interface of the store.
        editions: all editions, the newest first.
        followed: the editions that have a history, oldest first.
        latest: the last of these, if there is one.
        modified: the day of the newest edition.
        live: true if a server answers questions, false on a static site.
        words: false if no text of documents may be shown.
        home: the address of the pages, with a final slash.
        canonical: where they belong: their public address, else the base of the data.
        rows: the maximum number of triples in one answer of the server.
        history: what happened to things through the editions.
        snapshot: returns an edition, read, by its id or date; the most recently used ones are kept.
    """

    def __init__(
        self, rules: Rules, *, live: bool = True, words: bool = True, rows: int = 0, home: str = ""
    ) -> None:
        self.rules = rules
        self.session = rules.session
        self.iris = rules.session.iris
        self.live = live
        self.words = words
        self.rows = rows
        self.home = f"{home.rstrip('/')}/" if home else self.iris.base
        self.canonical = self.iris.base if live else self.home
        self.editions = rules.editions
        self.followed = tuple(with_history(self.editions))
        self.latest = self.followed[-1] if self.followed else None
        self.modified = self.editions[0].issued if self.editions else None
        # The history of everything in one edition is read as fast as that of some fifty rules.
        self.history = History(self.session, at_once=not live or len(self.followed) == 1)

        def read(edition: str) -> EditionSnapshot:
            return EditionSnapshot(rules.session, edition_called(edition, rules.editions), words=words)

        self.snapshot = lru_cache(maxsize=KEPT)(read)

    @cached_property
    def newest(self) -> Edition:
        """The edition that is shown unless another is given; raises `UnknownNameError` for none."""
        for edition in self.editions:
            if edition.current:
                return edition
        raise UnknownNameError("edition", "newest", (), "Nothing is loaded: run `rulesgraph build`.")

    def edition(self, name: str) -> Edition:
        """Return an edition by its id or its date; raises `UnknownNameError` for one that is not loaded."""
        return edition_called(name, self.editions)

    def in_force(self, day: date) -> Edition | None:
        """Return the edition of the comprehensive rules that was in force on a day."""
        history = [it for it in self.followed if it.issued and it.issued <= day]
        return history[-1] if history else None


Choice = tuple[Edition, str, bool]
"""An edition in the chooser: the edition, the link to its page, and whether it is the current one."""


MENU = 12
"""The maximum number of editions in a page's chooser."""


def few(choices: Sequence[Choice]) -> list[Choice]:
    """Return the choices for a menu: the newest, those around the current one, and the oldest."""
    if len(choices) <= MENU:
        return list(choices)
    shown = next((place for place, choice in enumerate(choices) if choice[2]), 0)
    kept = {*range(MENU // 2), *range(shown - 2, shown + 3), len(choices) - 1}
    return [choice for place, choice in enumerate(choices) if place in kept]


SUMMARY = 160
"""The number of letters of a page's description that search engines show."""


class PageLayout:
    """Makes the page that belongs at one address, and may be shown `at` another, or below any (`root`)."""

    def __init__(self, context: PageContext, address: str, *, at: str = "", root: str = "") -> None:
        self.context = context
        self.address = address
        self.links = PageLinks(at or address, live=context.live, root=root)

    @property
    def rules_link(self) -> str:
        """The link to the contents of the newest edition."""
        return self.links.to(f"edition/{self.context.newest.id}.html")

    def asking(self, words: str) -> str:
        """Return the link that asks a question in words."""
        return f"{self.links.tool('search')}?{urlencode({'q': words})}"

    def to(self, iri: str) -> str:
        """Return the link to the page of a thing; ``""`` for one of another base."""
        address = page_of(self.context.iris, iri) if iri else ""
        if not self.context.live and "/entry/" in address:
            address = address.partition("#")[0]  # on a site a redirect to the term's page is there
        return self.links.to(address) if address else ""

    def anchor(self, iri: str) -> str:
        """Return the id of a part of a thing on the thing's page, ``""`` for the thing itself."""
        return page_of(self.context.iris, iri).partition("#")[2]

    def words(self, passage: Passage, *, but: str = "") -> Markup:
        """Return a passage with links for the things it names, except for `but`."""
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
        described: Mapping[str, Json] | None = None,
        summary: str = "",
        modified: date | None = None,
        **shown: object,
    ) -> Page:
        """Return a page made from a template and its content.

        Args:
            template: its name, without the ending.
            title: the title of the window.
            status: see `Page`.
            thing: the IRI of the subject of the page, if its data exists in formats.
            choices: the editions in the chooser.
            described: the page's description for search engines, in the words of schema.org.
            summary: the text that search engines show, in plain words; else the description of the site.
            modified: see `Page`.
            shown: the values in the template.
        """
        editions = choices or self.choices()
        canonical = self.context.canonical + self.address.removesuffix("index.html")
        html = (
            environment()
            .get_template(f"{template}.html")
            .render(
                frame=self,
                links=self.links,
                title=title,
                thing=thing,
                local=thing.removeprefix(self.context.iris.base),
                forms=self._forms(thing),
                choices=few(editions),
                editions_in_all=len(editions),
                summary=shorten(summary or f"{title}: {_ABOUT}", SUMMARY, placeholder="…"),
                described=Markup(json_in_html({**described, "url": canonical})) if described else "",
                live=self.context.live,
                mapped=self.context.live or self.context.words,
                canonical=canonical,
                **shown,
            )
        )
        return Page(status, title, html, self.address, modified or self.context.modified)

    def _forms(self, thing: str) -> list[tuple[str, str, str]]:
        """Return the formats of a thing: media type, name, and link."""
        if not thing:
            return []
        stem = thing[len(self.context.iris.base) :]
        return [(media, name, self.links.to(f"{stem}.{ending}")) for media, name, ending in NOTATIONS]

    def choices(self, shown: Edition | None = None, folder: str = "edition") -> list[Choice]:
        """Return all editions with the links to their pages in a folder, for the chooser."""
        editions = self.context.editions
        return [(it, self.links.to(f"{folder}/{it.id}.html"), it == shown) for it in editions]


def schema_org(kind: str, iri: str, name: str, **facts: str) -> dict[str, Json]:
    """Return the description of a thing for search engines, in schema.org's words, without empty facts."""
    given = {key: value for key, value in facts.items() if value}
    return {"@context": "https://schema.org/", "@type": kind, "@id": iri, "name": name, **given}


EDITOR = "editor.js"
"""The bundle of the editor for queries, among the static files if it was built (`make editor`)."""


@cache
def static_files() -> dict[str, bytes]:
    """Return the files that pages need, by name: style, script, drawing, and the editor."""
    folder = resources.files(__package__) / "static"
    return {it.name: it.read_bytes() for it in sorted(folder.iterdir(), key=lambda it: it.name)} | scripts()


@cache
def environment() -> Environment:
    """Return the environment of the templates, which escapes every value."""
    folder = resources.files(__package__) / "templates"
    made = Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        loader=FunctionLoader(lambda name: (folder / name).read_text(encoding="utf-8")),
    )
    made.filters |= {"day": day, "outline": outline}
    # What a page that knows no store has, such as a refusal; all others have their own.
    made.globals |= {"frame": None, "live": True, "mapped": True, "forms": (), "choices": ()}
    made.globals |= {"policy": PAGE_POLICY, "canonical": "", "described": "", "editions_in_all": 0}
    return made


def day(value: date | None) -> str:
    """Return a day as people write it.

    >>> day(date(2026, 1, 16)), day(None)
    ('16 January 2026', 'undated')
    """
    return f"{value.day} {value:%B %Y}" if value else "undated"


@dataclass(frozen=True, slots=True)
class Page:
    """A whole page.

    Attributes:
        status: of HTTP: 200, 404 for a missing thing, 410 for one that no longer exists.
        title: the title of the window and in lists of results.
        html: all of it, the same bytes for the same store.
        address: its place below the base of the data, without a leading slash.
        modified: the day of the newest edition that it shows, or None.
        policy: its security policy, if it differs from that of most pages.
        words: the words that a map fetches, as JSON.
    """

    status: int
    title: str
    html: str
    address: str
    modified: date | None = None
    policy: str = ""
    words: str = ""


FEWEST = 3
"""The number of headings from which a page lists them."""

_HEADING = re.compile(r'<h2 id="([^"]+)">(.*?)</h2>', re.DOTALL)
_BESIDES = re.compile(r'<span class="count">.*?</span>|<[^>]*>')


def outline(html: str) -> list[tuple[str, Markup]]:
    """Return id and words of the headings of a part of a page that have an id; none if they are few.

    >>> outline('<h2 id="a">One <span class="count">3</span></h2>' * 2)
    []
    >>> outline('<h2 id="a"><a href="x">T &amp; U</a> <span class="count">3</span></h2>' * 3)[2]
    ('a', Markup('T &amp; U'))
    """
    found = [(it[1], Markup(_BESIDES.sub("", it[2]).strip())) for it in _HEADING.finditer(html)]
    return found if len(found) >= FEWEST else []


def refused_page(address: str, title: str, reason: str) -> str:
    """Return a page that says why nothing is shown at an address; each line of `reason` is a paragraph."""
    template = environment().get_template("refused.html")
    links = PageLinks(address.removeprefix("/"))
    return template.render(links=links, title=title, said=reason.splitlines(), summary=title)


def policy_of(html: str) -> str:
    """Return the security policy in a page that is one file."""
    found = re.search(r'http-equiv="Content-Security-Policy"\s+content="([^"]*)"', html)
    assert found is not None
    return unescape(found[1])


def marked(stretches: Sequence[tuple[str, str]]) -> Markup:
    """Return compared words with removed ones struck out and new ones marked.

    >>> str(marked([("same", "Take"), ("gone", "<three>"), ("come", "four")]))
    'Take <del>&lt;three&gt;</del> <ins>four</ins>'
    """
    tags = {"same": "{}", "gone": "<del>{}</del>", "come": "<ins>{}</ins>"}
    return Markup(" ").join(Markup(tags[what]).format(words) for what, words in stretches)
