"""The page of a term: its meaning, what it relies on, what relies on it, and its history."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from markupsafe import Markup

from ....ontology import UnknownNameError
from ....queries.cards.current import about_cards, current_cards
from ....queries.finding.names import other_names
from ....queries.session import Answer, Edition
from ....viz.selection import Node, NodeKind
from .addresses import cards_link, page_of
from .edition_snapshot import EditionSnapshot
from .layout import Page, PageContext, PageLayout, schema_org
from .tables import sentences_of, timeline

SHOWN = 12
"""The number of visible rows of reliance; a line opens the others."""


RULES = (NodeKind.CHAPTER, NodeKind.RULE)

_KIND = "has kind"


def term_page(context: PageContext, iri: str, edition: Edition | None = None) -> Page:
    """Return the page of a term, in the newest edition that has it, or in one.

    Raises `UnknownNameError` for a term that is not there.
    """
    standing = standing_in(context, iri)
    chosen = edition or next((it for it, _ in standing), None)
    if chosen is None:
        raise UnknownNameError("term", context.iris.parse(iri).key, ())
    snapshot = context.snapshot(chosen.id)
    term = snapshot.thing(iri)
    newest = chosen == standing[0][0]
    layout = PageLayout(context, _address(context, snapshot, iri, newest=newest))
    relies = _rows(layout, snapshot, snapshot.relies_on(term))
    relied = _rows(layout, snapshot, snapshot.relied_on_by(term))
    defining, entries = snapshot.defining(iri), snapshot.entries(iri)
    rules = [_ruled(layout, snapshot, it, term.iri) for it in defining]
    said = " ".join(it.text for it in term.passages if it.kind == "text")
    return layout.page(
        "term",
        term.label,
        thing=iri,
        summary=said,
        choices=[(it, layout.links.to(address), it == chosen) for it, address in standing],
        described=schema_org(
            "DefinedTerm", iri, term.label, inDefinedTermSet=context.iris.scheme("terms"), description=said
        ),
        modified=chosen.issued,
        term=term,
        edition=chosen,
        newest=newest,
        names=other_names(context.session, iri),
        rules=rules,
        relies=relies,
        relied=relied,
        shown=SHOWN,
        drawn=drawing(term.label, relied, relies),
        kinds=list(dict.fromkeys(it.value for it in snapshot.facts(iri) if it.relation == _KIND)),
        facts=[it for it in snapshot.facts(iri) if it.relation != _KIND],
        histories=_histories(layout, snapshot, term),
        sentences=sentences_of(layout, term.label, chosen) if entries else {},
        problems_found=snapshot.problems([*entries, *(it.iri for it in defining)]),
        on_cards=_on_cards(context, iri) if newest else 0,
        cards=cards_link(layout.links, term.label),
        citation=f"“{term.label}”, {chosen.title}, {context.iris.local(iri)}",
    )


def _histories(layout: PageLayout, snapshot: EditionSnapshot, term: Node) -> list[dict[str, Any]]:
    """Return the history of a term's entry, and of the rule that alone defines it, under their names."""
    edition, entries = snapshot.edition, snapshot.entries(term.iri)
    rules = snapshot.defining(term.iri)
    found = {"": timeline(layout, term.label, edition, term.iri, entry=bool(entries))}
    if entries and len(rules) == 1:
        [rule] = rules
        found[rule.number] = timeline(layout, rule.number, edition, rule.iri, title=rule.title)
    return [{"of": name, "steps": steps} for name, steps in found.items() if len(steps) > 1]


def address_in(context: PageContext, snapshot: EditionSnapshot, iri: str) -> str:
    """Return the address of a term's page in an edition: its own in the newest, else that of its entry."""
    standing = standing_in(context, iri)
    return _address(context, snapshot, iri, newest=bool(standing) and standing[0][0] == snapshot.edition)


def _address(context: PageContext, snapshot: EditionSnapshot, iri: str, *, newest: bool) -> str:
    entries = snapshot.entries(iri)
    if newest or not entries:
        return f"term/{context.iris.parse(iri).key}.html"
    return f"{entries[0][len(context.iris.base) :]}.html"


def _rows(layout: PageLayout, snapshot: EditionSnapshot, answer: Answer) -> list[dict[str, Any]]:
    """Return the rows of an answer; a rule that the sentence of its term leads to is beside the term."""
    rows = [(row, snapshot.called(str(row.get("name") or row.get("term")))) for row in answer.records()]
    terms = {(it.iri, row["quote"]) for row, it in rows if it and it.kind is NodeKind.TERM}
    rules: dict[tuple[str, object], list[tuple[str, str]]] = defaultdict(list)
    alone = []
    for row, thing in rows:
        defined = snapshot.defined(thing.iri) if thing and thing.kind in RULES else []
        known = [key for key in ((it.iri, row["quote"]) for it in defined) if key in terms]
        for key in known:
            assert thing is not None
            rules[key].append((thing.number, layout.to(thing.iri)))
        if not known:
            alone.append((row, thing))
    found = []
    for row, thing in alone:
        name = thing.label if thing else str(row.get("name") or row.get("term"))
        quote = row["quote"] if snapshot.words else ""
        reliance = {
            "name": name,
            "link": layout.to(thing.iri) if thing else "",
            "rules": rules[thing.iri, row["quote"]] if thing else (),
            "kind": row["link"],
            "quote": quote,
            "document": row["document"],
            "line": row["line"],
            # Rows with the same sentence are together; one without words is alone, by its name.
            "sentence": (quote, row["document"], row["line"]) if quote else (name, thing and thing.iri),
        }
        found.append(reliance)
    return found


def _ruled(
    layout: PageLayout, snapshot: EditionSnapshot, rule: Node, term: str, depth: int = 9
) -> dict[str, Any]:
    """Return a rule with its parts, for a chapter only those of one level."""
    own = next((layout.words(it, but=term) for it in rule.passages if it.kind == "text"), Markup(""))
    is_chapter = rule.kind is NodeKind.CHAPTER
    below = snapshot.parts(rule.iri) if depth else []
    parts = [_ruled(layout, snapshot, it, term, 0 if is_chapter else depth - 1) for it in below]
    return {
        "number": rule.number,
        "title": rule.title,
        "link": layout.to(rule.iri),
        "words": "" if own == rule.title else own,
        "parts": parts,
        "shown": SHOWN if is_chapter else len(parts),
    }


_RANKS = {"entry": 0, "rule": 1, "section": 2}
"""The texts that describe a term, the preferred kind first."""


def standing_in(context: PageContext, term: str) -> list[tuple[Edition, str]]:
    """Return the editions that define a term (an IRI), each with the address of its page there.

    If none does, these are those that cite it, or else the newest if it names the term.

    In the newest of them the term has its own page; in the others it is on that of its entry, or of the rule
    that defines it.
    """
    rows = context.session.run("finding", "standing_anywhere", None, {"term": [term]})
    evidence = [str(row[1]) for row in rows if row[2]] or [str(row[1]) for row in rows]
    places = [(context.iris.parse(it), it) for it in evidence]
    found: list[tuple[Edition, str]] = []
    for edition in context.editions:
        here = [(place, it) for place, it in places if place.edition == edition.id]
        if here and not found:
            found.append((edition, page_of(context.iris, term)))
        elif here:
            best = min(here, key=lambda it: (_RANKS.get(it[0].kind, len(_RANKS)), it[1]))
            found.append((edition, page_of(context.iris, best[1])))
    if not found and context.snapshot(context.newest.id).has(term):
        return [(context.newest, page_of(context.iris, term))]
    return found


MOST = 9
"""The number of things drawn on one side."""

ROW, TOP = 30, 34
_LEFT, _MIDDLE, _RIGHT = 210, 380, 550
_LONGEST = 24


def drawing(
    name: str, before: Iterable[Mapping[str, Any]], behind: Iterable[Mapping[str, Any]]
) -> dict[str, Any] | None:
    """Return a drawing with what relies on a thing at the left and what it relies on at the right.

    The things are mappings with a name, a link and the kind of their link to the one in the middle. The first
    ones are drawn, each name once; None if there is nothing to draw.
    """
    left, right = _first(before), _first(behind)
    rows = max(len(left), len(right))
    if not rows:
        return None
    middle = TOP + rows * ROW / 2
    half = min(118.0, 18 + 4.4 * len(_short(name)))  # of the box around the name: a letter is 8.8 wide
    lines = [
        _line(it, middle + (place - (len(side) - 1) / 2) * ROW, middle, half, direction)
        for side, direction in ((left, -1), (right, 1))
        for place, it in enumerate(side)
    ]
    height = TOP + rows * ROW + 10
    return {"name": _short(name), "height": height, "middle": middle, "half": half, "lines": lines}


def _first(given: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    found: dict[str, Mapping[str, Any]] = {}
    for it in given:
        found.setdefault(it["name"], it)
    return list(found.values())[:MOST]


def _line(it: Mapping[str, Any], y: float, middle: float, half: float, side: int) -> dict[str, Any]:
    """Return one line of the drawing, from the name at its outer end to the box in the middle."""
    x = _LEFT if side < 0 else _RIGHT
    start = _MIDDLE + side * half
    bend = (start + x) / 2
    way = f"M{x - side * 6:g} {y:g}C{bend:g} {y:g} {bend:g} {middle:g} {start:g} {middle:g}"
    anchor = "end" if side < 0 else "start"
    return {**it, "label": _short(it["name"]), "x": x, "y": y, "anchor": anchor, "way": way}


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1].rstrip() + "…"


def _on_cards(context: PageContext, term: str) -> int:
    """Return how many cards name a term (an IRI); 0 on a static site, which has no pages of cards."""
    data = current_cards(context.session) if context.live else None
    return int(str(about_cards(context.session, data, "naming_count", {"term": [term]})[0][0])) if data else 0
