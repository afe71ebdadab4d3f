"""A term becomes its page: what it means, what it rests on, what rests on it, and what became of it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from markupsafe import Markup

from ....ontology.errors import RulesgraphError, UnknownNameError
from ....queries.finding.names import other_names
from ....queries.session import Answer, Edition
from ....viz.selection import NodeKind
from .addresses import page_of
from .editions_of import TermEdition, standing_in
from .neighbourhood import Neighbour, drawing
from .page import Page
from .press import Choice, Press
from .shelf import Shelf
from .stages import Stage, stages
from .volume import Subject, Volume

SHOWN = 12
"""How many rows of reliance are open; the others are behind a line that opens them."""


RULES = (NodeKind.CHAPTER, NodeKind.RULE)

_KIND = "has kind"


@dataclass(frozen=True, slots=True)
class Reliance:
    """One row of what relies on what: the other's name, how, and the sentence that says so.

    `rules` are those that define the other, with their links, where the same sentence leads to them.
    """

    name: str
    link: str
    rules: tuple[tuple[str, str], ...]
    kind: str
    quote: str
    document: str
    line: int | None

    @property
    def sentence(self) -> tuple[str, ...]:
        """What is the same for rows that rest on one sentence; of a row without words, its name."""
        return (self.quote, self.document, str(self.line)) if self.quote else (self.name, self.link)


@dataclass(frozen=True, slots=True)
class Ruled:
    """A rule with its words, as it stands on the page of another thing; so many of its parts are in view."""

    number: str
    title: str
    link: str
    words: Markup
    parts: tuple[Ruled, ...] = ()
    shown: int = 0


def term_page(shelf: Shelf, iri: str, edition: Edition | None = None) -> Page:
    """Return the page of a term, in the newest edition in which it stands, or in one.

    Raises `UnknownNameError` for a term that does not stand there.
    """
    standing = standing_in(shelf, iri) or _only_named(shelf, iri)
    chosen = edition or next((it.edition for it in standing), None)
    if chosen is None:
        raise UnknownNameError("term", shelf.iris.parse(iri).key, ())
    volume = shelf.volume(chosen.id)
    term = volume.thing(iri)
    newest = chosen == standing[0].edition
    press = Press(shelf, _address(shelf, volume, iri, newest=newest))
    relies, relied = (
        _rows(press, volume, volume.relies_on(term)),
        _rows(press, volume, volume.relied_on_by(term)),
    )
    rules = [_ruled(press, volume, it, term.iri) for it in volume.defining(iri)]
    return press.page(
        "term",
        term.label,
        thing=iri,
        choices=[Choice(it.edition, press.links.to(it.address), it.edition == chosen) for it in standing],
        described=_described(shelf, term, iri),
        modified=chosen.issued,
        term=term,
        edition=chosen,
        newest=newest,
        names=other_names(shelf.session, iri),
        passages=[(it, press.words(it, but=iri)) for it in term.passages],
        rules=rules,
        relies=relies,
        relied=relied,
        shown=SHOWN,
        drawn=drawing(
            term.label,
            [Neighbour(it.name, it.link, it.kind) for it in relied],
            [Neighbour(it.name, it.link, it.kind) for it in relies],
        ),
        kinds=list(dict.fromkeys(it.value for it in volume.facts(iri) if it.relation == _KIND)),
        facts=[(it, press.to(it.target)) for it in volume.facts(iri) if it.relation != _KIND],
        stages=_stages(press, term, chosen),
        problems_found=volume.problems([*volume.entries(iri), *(it.iri for it in volume.defining(iri))]),
        citation=f"“{term.label}”, {chosen.title}, {shelf.iris.local(iri)}",
    )


def _only_named(shelf: Shelf, iri: str) -> list[TermEdition]:
    """Return the newest edition for a term that nothing defines or cites, but which is named there."""
    newest = shelf.newest
    return [TermEdition(newest, page_of(shelf.iris, iri))] if shelf.volume(newest.id).has(iri) else []


def address_in(shelf: Shelf, volume: Volume, iri: str) -> str:
    """Return the address of a term's page in an edition: its own in the newest, else that of its entry."""
    standing = standing_in(shelf, iri) or _only_named(shelf, iri)
    return _address(shelf, volume, iri, newest=bool(standing) and standing[0].edition == volume.edition)


def _address(shelf: Shelf, volume: Volume, iri: str, *, newest: bool) -> str:
    entries = volume.entries(iri)
    if newest or not entries:
        return f"term/{shelf.iris.parse(iri).key}.html"
    return f"{entries[0][len(shelf.iris.base) :]}.html"


def _rows(press: Press, volume: Volume, answer: Answer) -> list[Reliance]:
    """Return the rows of an answer; a rule that the sentence of its term leads to stands beside the term."""
    rows = [(row, volume.called(str(row.get("name") or row.get("term")))) for row in answer.records()]
    terms = {(it.iri, row["quote"]) for row, it in rows if it and it.kind is NodeKind.TERM}
    rules: dict[tuple[str, object], list[tuple[str, str]]] = defaultdict(list)
    alone = []
    for row, thing in rows:
        defined = volume.defined(thing.iri) if thing and thing.kind in RULES else []
        known = [key for key in ((it.iri, row["quote"]) for it in defined) if key in terms]
        for key in known:
            assert thing is not None
            rules[key].append((thing.number, press.to(thing.iri)))
        if not known:
            alone.append((row, thing))
    return [
        Reliance(
            thing.label if thing else str(row.get("name") or row.get("term")),
            press.to(thing.iri) if thing else "",
            tuple(rules[thing.iri, row["quote"]]) if thing else (),
            str(row["link"]),
            str(row["quote"] or "") if volume.words else "",
            str(row["document"] or ""),
            row["line"] if isinstance(row["line"], int) else None,
        )
        for row, thing in alone
    ]


def _ruled(press: Press, volume: Volume, rule: Subject, term: str, depth: int = 9) -> Ruled:
    """Return a rule with its parts, of a chapter those of one level alone."""
    own = next((press.words(it, but=term) for it in rule.passages if it.kind == "text"), Markup(""))
    is_chapter = rule.kind is NodeKind.CHAPTER
    below = volume.parts(rule.iri) if depth else []
    parts = tuple(_ruled(press, volume, it, term, 0 if is_chapter else depth - 1) for it in below)
    title = rule.title
    return Ruled(
        number=rule.number,
        title=title,
        link=press.to(rule.iri),
        words=Markup("") if own == title else own,
        parts=parts,
        shown=SHOWN if is_chapter else len(parts),
    )


def _stages(press: Press, term: Subject, edition: Edition) -> list[Stage]:
    if len(press.shelf.followed) < 2 or not edition.has_history:
        return []
    try:
        history = press.shelf.past.history(term.label, edition.id)
    except RulesgraphError:
        return []  # a name that no entry and no rule has for its heading
    entries = press.shelf.volume(edition.id).entries(term.iri)
    return stages(press, history, term.iri, entry=bool(entries))


def _described(shelf: Shelf, term: Subject, iri: str) -> dict[str, str]:
    about = {
        "@context": "https://schema.org/",
        "@type": "DefinedTerm",
        "@id": iri,
        "name": term.label,
        "url": iri,
        "inDefinedTermSet": shelf.iris.scheme("terms"),
    }
    words = " ".join(it.text for it in term.passages if it.kind == "text")
    return {**about, "description": words} if words else about
