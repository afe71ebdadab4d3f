"""A rule becomes its page: its words, what it is part of, its parts, who cites it, and its life."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from markupsafe import Markup

from ....ontology.errors import RulesgraphError
from ....queries.evidence.quotes import cut
from ....queries.session import Edition
from ....viz.selection import NodeKind, Passage
from .lives import Sameness, lives
from .page import Page
from .press import Choice, Press
from .shelf import Shelf
from .stages import Stage, stages
from .volume import Subject, Volume


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a rule, with how deep it lies, its words and its examples."""

    number: str
    title: str
    link: str
    anchor: str
    words: Markup
    examples: tuple[Markup, ...]


@dataclass(frozen=True, slots=True)
class Citing:
    """Who cites a rule, with the sentence that does."""

    name: str
    link: str
    quote: str


def rule_page(shelf: Shelf, iri: str, asof: date | None = None) -> Page:
    """Return the page of a rule, a chapter or a section in its edition.

    `asof` is the day that somebody asked about, by the address ``rule/…`` of a number without an edition:
    the page says so, and what the rule is today.

    Raises `UnknownNameError` for one that the edition does not have.
    """
    iris = shelf.iris
    place = iris.parse(iri)
    volume = shelf.volume(place.edition)
    rule = volume.thing(iri)
    press = Press(shelf, f"{rule.iri[len(iris.base) :]}.html", at=f"rule/{rule.number}" if asof else "")
    edition = shelf.edition(place.edition)
    provision = volume.provisions.get(rule.iri, "")
    lived = lives(shelf, provision) if len(shelf.followed) > 1 else []
    own = [it for it in rule.passages if it.kind == "text" and it.text != rule.title]
    before, behind = volume.neighbours(rule.iri)
    wholes = volume.wholes(rule.iri)
    below = {it.iri for it in _all_below(volume, volume.parts(rule.iri))}
    name = f"Section {rule.number}" if rule.kind is NodeKind.SECTION else rule.number
    title = f"{name} {rule.title}".strip()
    return press.page(
        "rule",
        f"{title} ({edition.title})" if not edition.current else title,
        thing=rule.iri,
        choices=_choices(press, lived, edition),
        described=_described(shelf, rule, title, edition),
        modified=edition.issued,
        rule=rule,
        name=name,
        edition=edition,
        today=_today(press, lived, edition),
        stale=edition.has_history and edition != press.shelf.followed[-1],
        asof=asof,
        wholes=wholes,
        above=_above(press, wholes),
        own=[press.words(it, but=rule.iri) for it in own],
        examples=[press.words(it, but=rule.iri) for it in rule.passages if it.kind == "example"],
        parts=_parts(press, volume, rule),
        before=before,
        behind=behind,
        defined=volume.defined(rule.iri),
        cited=[it for it in volume.cited(rule.iri) if it.iri not in below],
        citing=[_citing(press, rule.iri, *it) for it in volume.citing(rule.iri)],
        stages=_stages(press, rule, edition),
        provision=provision,
        problems_found=volume.problems([rule.iri]),
        document=next(iter(rule.passages), None),
        citation=f"{name}, {edition.title}, {rule.iri}",
    )


def _above(press: Press, wholes: list[Subject]) -> list[tuple[Subject, Markup]]:
    """Return the rules that a part goes on from, with their words: without them it says half."""
    return [
        (it, press.words(passage, but=it.iri))
        for it in wholes
        for passage in it.passages
        if it.kind is NodeKind.RULE and passage.kind == "text" and passage.text != it.title
    ]


def _parts(press: Press, volume: Volume, rule: Subject) -> list[Part]:
    """Return what a rule consists of: of a section or chapter what is listed, else all with words."""
    below = volume.parts(rule.iri)
    if rule.kind in (NodeKind.SECTION, NodeKind.CHAPTER):
        return [_part(press, it, rule) for it in below]
    return [_part(press, it, rule) for it in _all_below(volume, below)]


def _all_below(volume: Volume, parts: list[Subject]) -> Iterator[Subject]:
    for it in parts:
        yield it
        yield from _all_below(volume, volume.parts(it.iri))


def _part(press: Press, it: Subject, rule: Subject) -> Part:
    words: list[Passage] = [p for p in it.passages if p.kind == "text" and p.text != it.title]
    return Part(
        it.number,
        it.title,
        press.to(it.iri),
        it.number.removeprefix(rule.number).lstrip("."),
        Markup(" ").join(press.words(p, but=rule.iri) for p in words),
        tuple(press.words(p, but=rule.iri) for p in it.passages if p.kind == "example"),
    )


def _citing(press: Press, rule: str, thing: Subject, passage: Passage | None) -> Citing:
    start = 0
    for piece in passage.pieces if passage else ():
        if passage and rule in piece.targets:
            return Citing(
                thing.label, press.to(thing.iri), cut(passage.text, (start, start + len(piece.text)))
            )
        start += len(piece.text)
    return Citing(thing.label, press.to(thing.iri), "")


def _choices(press: Press, lived: list[Sameness], edition: Edition) -> list[Choice]:
    """Return the editions in which a rule stands; its own alone where nothing is known of others."""
    found = [Choice(it.edition, press.to(it.iri), it.edition == edition) for it in lived]
    return found or [Choice(edition, press.links.to(f"edition/{edition.id}.html"), chosen=True)]


def _today(press: Press, lived: list[Sameness], edition: Edition) -> Sameness | None:
    """Return what an older rule is in the newest edition, or None where it is that already or is no more."""
    newest = press.shelf.followed[-1] if press.shelf.followed else edition
    if edition == newest:
        return None
    return next((it for it in lived if it.edition == newest), None)


def _stages(press: Press, rule: Subject, edition: Edition) -> list[Stage]:
    if rule.kind is NodeKind.SECTION or len(press.shelf.followed) < 2 or not edition.has_history:
        return []
    try:
        history = press.shelf.past.history(rule.number, edition.id)
    except RulesgraphError:
        return []  # a number that stands twice
    return stages(press, history, rule.iri, title=rule.title)


def _described(shelf: Shelf, rule: Subject, title: str, edition: Edition) -> dict[str, str]:
    about = {
        "@context": "https://schema.org/",
        "@type": "Legislation",
        "@id": rule.iri,
        "url": rule.iri,
        "name": title,
        "identifier": rule.number,
        "isPartOf": shelf.iris.edition(edition.id),
    }
    return {**about, "datePublished": str(edition.issued)} if edition.issued else about
