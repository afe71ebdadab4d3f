"""The pages of a rule in one edition, and of a rule through all editions (a provision)."""

from __future__ import annotations

from datetime import date
from textwrap import shorten

from ....ontology import UnknownNameError
from ....queries.evidence.links import cut
from ....queries.history.beyond import Beyond, bundled_rows, namesakes
from ....queries.history.summary import life_of_provision
from ....queries.session import Edition
from ....viz.selection import Node, NodeKind, Passage
from .layout import Choice, Page, PageContext, PageLayout, schema_org
from .tables import RuleVersion, rule_versions, sentences_of, steps_of, timeline

TITLE = 60
"""The number of letters of an untitled rule in the window's title."""


def rule_page(context: PageContext, iri: str, asof: date | None = None) -> Page:
    """Return the page of a rule, a chapter or a section in its edition.

    `asof` is the requested day, for the address ``rule/…`` of a number without an edition: the page says so,
    and what the rule is today.

    Raises `UnknownNameError` for one that the edition does not have.
    """
    iris = context.iris
    place = iris.parse(iri)
    snapshot = context.snapshot(place.edition)
    rule = snapshot.thing(iri)
    layout = PageLayout(
        context, f"{rule.iri[len(iris.base) :]}.html", at=f"rule/{rule.number}" if asof else ""
    )
    edition = context.edition(place.edition)
    provision = snapshot.provisions.get(rule.iri, "")
    versions = rule_versions(context, provision) if len(context.followed) > 1 else []
    before, behind = snapshot.neighbours(rule.iri)
    below = snapshot.below(rule.iri)
    within = {it.iri for it in below}
    name = f"Section {rule.number}" if rule.kind is NodeKind.SECTION else rule.number
    title = f"{name} {rule.title}".strip()
    said = " ".join(it.text for it in rule.own)
    heading = title if rule.title or not said else f"{name}: {shorten(said, TITLE, placeholder='…')}"
    return layout.page(
        "rule",
        f"{heading} ({edition.title})" if not edition.current else heading,
        thing=rule.iri,
        summary=said,
        choices=_choices(layout, versions, edition),
        described=schema_org(
            "Legislation",
            rule.iri,
            title,
            identifier=rule.number,
            isPartOf=iris.edition(edition.id),
            datePublished=str(edition.issued or ""),
        ),
        modified=edition.issued,
        rule=rule,
        name=name,
        edition=edition,
        today=_today(layout, versions, edition),
        stale=edition.has_history and edition != context.latest,
        asof=asof,
        wholes=snapshot.wholes(rule.iri),
        parts=snapshot.parts(rule.iri) if rule.kind in (NodeKind.SECTION, NodeKind.CHAPTER) else below,
        before=before,
        behind=behind,
        defined=snapshot.defined(rule.iri),
        cited=[it for it in snapshot.cited(rule.iri) if it.iri not in within],
        citing=[_citing(layout, rule.iri, *it) for it in snapshot.citing(rule.iri)],
        # A section has no words that change, and too many parts to follow.
        history=timeline(layout, rule.number, edition, rule.iri, title=rule.title)
        if rule.kind is not NodeKind.SECTION
        else [],
        sentences=sentences_of(layout, rule.number, edition) if rule.kind is NodeKind.RULE else {},
        namesakes=_namesakes(layout.context, rule, edition, provision),
        provision=provision,
        problems_found=snapshot.problems([rule.iri]),
        document=next(iter(rule.passages), None),
        citation=f"{name}, {edition.title}, {rule.iri}",
    )


def _namesakes(context: PageContext, rule: Node, edition: Edition, provision: str) -> list[str]:
    """Return sentences on the rules that went into one of the newest edition, and that had its number."""
    if not provision or edition != (context.latest or edition):
        return []
    key = context.iris.parse(provision).key
    rows = bundled_rows(key, edition.id)
    absorbed = Beyond(context.session, context.followed).absorbed(rows, key)
    return [*absorbed, *namesakes(rule.number, key, rows, edition.id, typed=False)]


def _citing(layout: PageLayout, rule: str, thing: Node, passage: Passage | None) -> tuple[str, str, str]:
    """Return what cites a rule: its name, its link, and the sentence that does."""
    quote, start = "", 0
    for piece in passage.pieces if passage else ():
        end = start + len(piece.text)
        if passage and not quote and rule in piece.targets:
            quote = cut(passage.text, (start, end))
        start = end
    return thing.label, layout.to(thing.iri), quote


def _choices(layout: PageLayout, versions: list[RuleVersion], edition: Edition) -> list[Choice]:
    """Return the editions that have a rule; only its own if nothing is known about others."""
    found = [(it.edition, layout.to(it.iri), it.edition == edition) for it in versions]
    return found or [(edition, layout.links.to(f"edition/{edition.id}.html"), True)]


def _today(layout: PageLayout, versions: list[RuleVersion], edition: Edition) -> RuleVersion | None:
    """Return what an older rule is in the newest edition, or None if it is the same or is gone."""
    newest = layout.context.latest
    return next((it for it in versions if it.edition == newest), None) if edition != newest else None


def provision_page(context: PageContext, iri: str) -> Page:
    """Return the page of a provision.

    Raises `UnknownNameError` for one that neither a loaded edition nor the bundled file has.
    """
    versions = rule_versions(context, iri)
    place = context.iris.parse(iri)
    life = None if place.edition else life_of_provision(context.session, place.key)
    if not versions and (life is None or not life.rows):
        raise UnknownNameError("provision", context.iris.local(iri), ())
    layout = PageLayout(context, f"{iri[len(context.iris.base) :]}.html")
    newest = versions[0] if versions else None
    if newest:
        history = timeline(layout, newest.number, newest.edition, newest.iri)
    else:
        history = steps_of(layout, life.rows if life else ())
    number = newest.number if newest else life.number if life else ""
    related = (("Came from", life.sources), ("Went into", life.heirs)) if life else ()
    return layout.page(
        "provision",
        f"{place.key}: {number}",
        thing=iri,
        choices=[(it.edition, layout.to(it.iri), False) for it in versions],
        provision=place.key,
        number=number,
        newest=newest,
        versions=versions,
        history=history,
        related=[(title, [_related(layout, *row) for row in rows]) for title, rows in related if rows],
        stands=newest and newest.edition == (context.latest or newest.edition),
    )


def _related(layout: PageLayout, provision: object, number: object, *_: object) -> tuple[str, str, str]:
    """Return the id and the last number of another provision, and the link to its page, if it has one."""
    iri = layout.context.iris.provision(str(provision))
    return (
        str(provision),
        str(number),
        layout.to(iri) if layout.context.live or rule_versions(layout.context, iri) else "",
    )
