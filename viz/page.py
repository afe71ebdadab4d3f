"""Lay out a selection and turn it into the data of its page."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from ..ontology import Iris, Json
from .html import empty_network, render
from .layout import arrange
from .selection import Edge, LinkKind, Node, NodeKind, Passage, Selection, Stretch

CANVAS = ("model.js", "address.js", "names.js", "style.js", "view.js", "svg.js")
PANEL = ("lists.js", "words.js", "panel.js", "history.js", "rows.js", "saving.js", "sheet.js", "print.js")
PAGE = ("suggest.js", "search.js", "page.js")
"""The common parts of every page's script: the drawing, the texts beside it, and its controls."""

SCRIPTS = (*CANVAS, "canvas.js", *PANEL, "overview.js", *PAGE)
"""The parts of the page's script, in the order in which they are joined."""

KINDS: dict[NodeKind, tuple[str, str, str, float]] = {
    NodeKind.TERM: ("term", "terms", "dot", 7.0),
    NodeKind.CHAPTER: ("chapter of rules", "chapters", "square", 6.0),
    NodeKind.RULE: ("rule", "rules", "diamond", 5.5),
    NodeKind.SECTION: ("section of rules", "sections", "hexagon", 8.0),
    NodeKind.ENTRY: ("glossary entry", "entries", "triangle", 6.0),
}
"""The name of a kind of thing, singular and plural, its shape in vis-network's words, its minimum radius."""

LINK_KINDS: dict[LinkKind, tuple[str, str]] = {
    LinkKind.CITATION: ("citation", "cites"),
    LinkKind.NOTE: ("also see", "also see"),
    LinkKind.DEFINITION: ("definition", "defined by"),
    LinkKind.REDIRECT: ("redirect", "see"),
    LinkKind.RENAMING: ("renaming", "renamed to"),
    LinkKind.PART: ("part of", "part of"),
    LinkKind.MENTION: ("mention", "mentions"),
}
"""The name of each kind of link, and the verb for what its source does."""

PULL = {LinkKind.MENTION: 0.12, LinkKind.PART: 0.8}
"""How strongly each kind of link pulls its ends together in the layout; 1 for other kinds."""

MANY_MENTIONS = 300
"""With this many mentions, only those of the selected thing are drawn."""

OPTIONS: dict[str, Json] = {
    "physics": False,
    "layout": {"improvedLayout": False},
    "interaction": {
        "hover": True,
        "hoverConnectedEdges": False,
        "selectConnectedEdges": False,
        "keyboard": False,
    },
    "nodes": {"chosen": False},
    "edges": {"smooth": False, "chosen": False, "selectionWidth": 0, "hoverWidth": 0},
}
"""vis-network's options: it neither moves things on its own nor restyles the selection."""

KIND_DATA: dict[str, Json] = {
    "options": OPTIONS,
    "kinds": [
        {"key": kind.value, "name": name, "plural": plural, "shape": shape}
        for kind, (name, plural, shape, _) in KINDS.items()
    ],
    "linkKinds": [
        {"key": kind.value, "name": name, "says": says} for kind, (name, says) in LINK_KINDS.items()
    ],
}
"""The data of every page's script about drawing, and about the kinds of things and links."""


def render_page(selection: Selection, *, map_at: str = "") -> str:
    """Return the page of a selection as one HTML text; `map_at` is its link to the whole map."""
    listing = tuple(
        (plural.capitalize(), tuple(node.label for node in selection.nodes if node.kind is kind))
        for kind, (_, plural, *_) in KINDS.items()
    )
    return render(
        selection.title,
        {**page_data(selection), "map": map_at},
        SCRIPTS,
        note=selection.note,
        listing=[it for it in listing if it[1]],
    )


def page_data(selection: Selection) -> dict[str, Json]:
    """Return the data of the page's script: nodes with positions, links and the words about them."""
    iris = Iris(selection.base)
    place = {node.iri: i for i, node in enumerate(selection.nodes)}
    links = [link for link in selection.links if link.source in place and link.target in place]
    sizes = _sizes(selection)
    faint = _faint(selection, links)
    positions = _positions(selection, place, sizes, faint)
    documents = sorted({p.document for node in selection.nodes for p in node.passages})
    network = empty_network()
    for i, node in enumerate(selection.nodes):
        x, y = positions[i]
        add_thing(
            network,
            i,
            node,
            iris,
            size=sizes[i],
            x=x,
            y=y,
            steps=node.steps,
            reserve=node.reserve,
            beyond=node.beyond,
            passages=[passage_data(p, documents, place, iris) for p in node.passages],
            past=selection.history[1].get(node.iri, []),
        )
    for i, link in enumerate(links):
        network.add_edge(
            place[link.source],
            place[link.target],
            id=i,
            kinds=[kind.value for kind in link.kinds],
            faint=link in faint,
        )
    return {
        "title": selection.title,
        "note": selection.note,
        "total": selection.total,
        "focus": place.get(selection.focus),
        "base": selection.base,
        "editions": selection.history[0],
        "answer": selection.answer,
        "documents": documents,
        "nodes": network.nodes,
        "edges": network.edges,
        **KIND_DATA,
    }


def add_thing(network: Any, place: int, thing: Node, iris: Iris, **more: object) -> None:
    """Add a thing to a network by its place in the page; `more` is its appearance and texts."""
    network.add_node(
        place,
        label=thing.label,
        shape=KINDS[thing.kind][2],
        group=thing.kind.value,
        iri=thing.iri,
        key=iris.local(thing.iri),
        number=thing.number,
        names=list(thing.names),
        status=thing.status,
        loaded=thing.loaded,
        **more,
    )


def _faint(selection: Selection, links: Sequence[Edge]) -> frozenset[Edge]:
    """Return the mentions that are drawn only at the selected thing, if there are too many to draw all.

    Those that link a focus to what is one step away are always drawn.
    """
    mentions = [link for link in links if link.kinds[0] is LinkKind.MENTION]
    if len(mentions) < MANY_MENTIONS:
        return frozenset()
    steps = {node.iri: node.steps for node in selection.nodes}
    ends = ((link, {steps[link.source], steps[link.target]}) for link in mentions)
    return frozenset(link for link, distances in ends if 0 not in distances or len(distances) == 1)


def passage_data(
    passage: Passage, documents: Sequence[str], place: Mapping[str, int], iris: Iris
) -> dict[str, Json]:
    """Return a passage in the page's form; `place` is the id of each thing in the page."""
    return {
        "kind": passage.kind,
        "number": passage.number,
        "document": documents.index(passage.document),
        "lines": passage.lines,
        "by": passage.attribution,
        "key": iris.local(passage.iri),
        "pieces": [_piece(piece, place) for piece in passage.pieces],
    }


def _piece(piece: Stretch, place: Mapping[str, int]) -> str | list[str | int]:
    """Return the text, with the ids of the things that it names, if any; a click leads to the first."""
    ids = [place[target] for target in piece.targets if target in place]
    return [piece.text, *ids] if ids else piece.text


def _sizes(selection: Selection) -> list[float]:
    """Return the radius of each node, which grows with the number of things that rely on it.

    With more things the view is farther away, so everything is drawn larger.
    """
    shown = sum(not node.reserve for node in selection.nodes)
    distance = min(2.2, max(1.0, (shown / 60) ** 0.45))
    weight: dict[str, float] = defaultdict(float)
    hidden = {node.iri for node in selection.nodes if node.reserve}
    for link in selection.links:
        if link.kinds[0] is not LinkKind.PART and link.source not in hidden:
            weight[link.target] += 0.4 if link.kinds[0] is LinkKind.MENTION else 1.0
    return [
        round(distance * min(22.0, KINDS[node.kind][3] + 1.9 * math.sqrt(weight[node.iri])), 1)
        for node in selection.nodes
    ]


def _positions(
    selection: Selection, place: dict[str, int], sizes: list[float], faint: frozenset[Edge]
) -> list[tuple[float, float]]:
    """Return a position per node; those in reserve come last and find room among the others.

    Around a focus only drawn links pull, so that the paths to it are visible. With many nodes, not every
    label can be shown at once, and each gets less room.
    """
    shown = sum(not node.reserve for node in selection.nodes)
    room = min(1.0, (90 / max(shown, 1)) ** 0.5)
    boxes = [
        (
            2 * size + 6 + room * 6.0 * min(len(node.label), 20),
            2 * size + 6 + room * (30 if len(node.label) > 20 else 16),
        )
        for node, size in zip(selection.nodes, sizes, strict=True)
    ]
    pulls = [
        (place[link.source], place[link.target], PULL.get(link.kinds[0], 1.0))
        for link in selection.links
        if link.source in place and link.target in place and not (selection.focus and link in faint)
    ]
    return arrange(boxes, pulls, late=len(selection.nodes) - shown)
