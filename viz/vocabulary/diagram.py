"""Draw the classes of documents and the main properties between them as SVG.

The places of the boxes are set here; their words and the lines between them come from the ontology. A box
shows the label of a class, a line the properties that have exactly these two classes as domain and range.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from markupsafe import Markup

from ...ontology import PREFIXES, VOCABULARY
from .declared import Facts

WIDTH, HEIGHT = 1304, 688
_RDFS = PREFIXES["rdfs"]


class Frame(NamedTuple):
    """A class at its place, in pixels; a role contains other boxes."""

    name: str
    x: int
    y: int
    width: int
    height: int
    role: bool = False

    @property
    def right(self) -> int:
        """The x of the right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The y of the lower edge."""
        return self.y + self.height


BOXES = (
    Frame("EditionPart", 372, 16, 356, 656, role=True),
    Frame("Document", 396, 62, 308, 46),
    Frame("DocumentPart", 388, 128, 324, 528, role=True),
    Frame("Section", 408, 204, 136, 46),
    Frame("Entry", 556, 204, 136, 46),
    Frame("TextUnit", 404, 270, 292, 370, role=True),
    Frame("Rule", 424, 322, 252, 62),
    Frame("Paragraph", 424, 398, 252, 46),
    Frame("Note", 424, 458, 252, 46),
    Frame("Ruling", 424, 518, 252, 46),
    Frame("Example", 424, 578, 252, 46),
    Frame("Problem", 16, 54, 208, 46),
    Frame("Change", 16, 166, 208, 56),
    Frame("Match", 16, 266, 208, 58),
    Frame("Provision", 16, 348, 208, 46),
    Frame("Edition", 884, 28, 404, 140),
    Frame("Term", 884, 194, 148, 150),
    Frame("Sense", 1120, 194, 168, 46),
    Frame("Dependable", 1120, 256, 168, 100),
    Frame("Reference", 884, 370, 148, 46),
    Frame("Citable", 1120, 370, 168, 122),
    Frame("Attribution", 884, 532, 148, 46),
    Frame("Authority", 1120, 532, 168, 46),
)
"""The boxes, outer ones first."""

LINES = {
    ("Problem", "EditionPart"): 77,
    ("DocumentPart", "Change"): 180,
    ("Change", "DocumentPart"): 208,
    ("Match", "DocumentPart"): 280,
    ("TextUnit", "Match"): 310,
    ("Rule", "Provision"): 371,
    ("EditionPart", "Edition"): 64,
    ("DocumentPart", "Edition"): 148,
    ("Entry", "Term"): 227,
    ("TextUnit", "Term"): 284,
    ("Term", "Rule"): 333,
    ("Term", "Sense"): 217,
    ("TextUnit", "Reference"): 393,
    ("Reference", "Citable"): 393,
    ("TextUnit", "Citable"): 466,
    ("TextUnit", "Attribution"): 555,
    ("Attribution", "Authority"): 555,
}
"""The boxes that are connected by a line, and its height; other links are only in the list of terms."""

MOST_NAMES = 2
"""How many properties are named under a box; the others are only counted."""

_SIZES = {"name": 16, "link": 14, "small": 13}
"""The height of the font of each kind of text, as in the page's style."""

_MARGIN = 6
"""The distance of words from the edges of their box."""


def diagram(facts: Facts) -> Markup:
    """Return the picture as an SVG element whose boxes and names link to the anchors of the page."""
    boxes = {box.name: box for box in BOXES}
    shapes = [_box(facts, box) for box in BOXES]
    lines = [_line(facts, boxes[a], boxes[b], y) for (a, b), y in LINES.items()]
    return Markup(
        '<svg class="diagram" viewBox="0 0 {} {}" role="group" aria-labelledby="diagram-title">'
        '<title id="diagram-title">The classes of documents and how they are linked</title>'
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
        'orient="auto"><path d="M0 0.6 7.4 4 0 7.4z"/></marker></defs>{}{}</svg>\n'
    ).format(WIDTH, HEIGHT, Markup("").join(shapes), Markup("").join(lines))


def properties_between(facts: Facts, source: str, target: str) -> list[str]:
    """Return the names of the properties with exactly these two classes as domain and range.

    A role above the first class that is not drawn counts as that class.
    """
    drawn = {box.name for box in BOXES}
    above = [it.rpartition("#")[2] for it in facts.values(VOCABULARY + source, _RDFS + "subClassOf")]
    sources = [source, *(it for it in above if it not in drawn)]
    names = [name for it in sources for name in facts.subjects(_RDFS + "domain", VOCABULARY + it)]
    kept = [it for it in names if facts.values(it, _RDFS + "range") == [VOCABULARY + target]]
    return [name.removeprefix(VOCABULARY) for name in kept if facts.kind(name) == "object property"]


def _box(facts: Facts, box: Frame) -> Markup:
    holds = [other for other in BOXES if other is not box and _inside(other, box)]
    captions = list(_captions(facts, box, bool(holds)))
    middle = box.x + box.width / 2
    top = box.y + 26 if holds else box.y + box.height / 2 + 5 - 9.5 * len(captions)
    room = box.width - 2 * _MARGIN
    texts = [
        _text(caption, middle, round(top + 20 * n, 1), "small", room) for n, caption in enumerate(captions, 1)
    ]
    look = "role" if box.role else "outer" if box.x < 300 or box.x > 800 else "own"
    return Markup('<g class="{}"><rect x="{}" y="{}" width="{}" height="{}" rx="{}"/>{}{}</g>').format(
        look,
        *(box.x, box.y, box.width, box.height, 14 if holds else 9),
        _text(_link(facts, box.name), middle, round(top, 1), "name", room),
        Markup("").join(texts),
    )


def _inside(one: Frame, other: Frame) -> bool:
    return other.x <= one.x and one.right <= other.right and other.y <= one.y and one.bottom <= other.bottom


def _captions(facts: Facts, box: Frame, holds: bool) -> Iterator[Markup]:
    """Yield the lines under a name: kinds of a role that are not drawn, and properties to its own kind."""
    if not holds and box.name in {"Citable", "Dependable"}:
        kinds = _leaves(facts, box.name)
        pairs = [kinds[place : place + 2] for place in range(0, len(kinds), 2)]
        yield from (Markup(" · ").join(_label(facts, name) for name in pair) for pair in pairs)
    own = properties_between(facts, box.name, box.name)
    if own:
        shown = [_link(facts, name) for name in own[:MOST_NAMES]]
        more = len(own) - len(shown)
        wide = box.width > 200
        lines = [Markup(" · ").join(shown)] if wide else shown
        if more > 0:
            lines[-1] += Markup(" and {} more").format(more) if wide else Markup(" +{}").format(more)
        lines[0] = Markup('<tspan class="loop">↻</tspan> ') + lines[0]
        yield from lines


def _leaves(facts: Facts, name: str) -> list[str]:
    """Return the classes below one that are types of nodes."""
    below = [iri.removeprefix(VOCABULARY) for iri in facts.subjects(_RDFS + "subClassOf", VOCABULARY + name)]
    drawn = [box.name for box in BOXES if not box.role and box.name not in {"Citable", "Dependable"}]
    found = [leaf for it in below for leaf in ([it] if it in drawn else _leaves(facts, it))]
    return sorted(dict.fromkeys(found), key=drawn.index)


def _label(facts: Facts, name: str) -> str:
    return facts.first(VOCABULARY + name, _RDFS + "label")


def _link(facts: Facts, name: str) -> Markup:
    return Markup('<a href="#{}">{}</a>').format(name, _label(facts, name))


def _text(words: Markup, x: float, y: float, look: str, room: float) -> Markup:
    """Return words centred at `x`, as wide as in a common font, but at most `room` pixels."""
    wide = min(width_of(words.striptags(), _SIZES[look], bold=look == "name"), room)
    return Markup(
        '<text class="{}" x="{}" y="{}" textLength="{}" lengthAdjust="spacingAndGlyphs">{}</text>'
    ).format(look, x, y, wide, words)


def _line(facts: Facts, source: Frame, target: Frame, y: int) -> Markup:
    rightward = source.x + source.width / 2 < target.x + target.width / 2
    start, end = (source.right, target.x) if rightward else (source.x, target.right)
    outer = [box for box in BOXES if box.role] if source.x < 800 or target.x < 800 else []
    low, high = min(start, end), max(start, end)
    # The label goes where nothing else is: between the column of documents and the next one.
    inner = [box.right for box in outer if low < box.right <= high] if max(start, end) > 800 else []
    left = max([low, *inner])
    outside = [box.x for box in outer if low <= box.x < high] if max(start, end) < 800 else []
    right = min([high, 884 if low < 800 < high else high, *outside])
    names = Markup(" · ").join(
        _link(facts, name) for name in properties_between(facts, source.name, target.name)
    )
    return Markup(
        '<g class="line"><path d="M{} {}H{}" marker-end="url(#tip)"/><circle cx="{}" cy="{}" r="2.6"/>{}</g>'
    ).format(
        *(start, y, end - 1 if rightward else end + 1, start, y),
        _text(names, (left + right) / 2, y - 7, "link", right - left),
    )


# -- the widths of words ----------------------------------------------------------------------------

_GROUPS = {
    222: "ijl",
    278: " ftI·.,",
    333: "r-()",
    500: "ckvxyzsJ",
    556: "abdeghnopquL0123456789",
    611: "FTZ",
    667: "ABEKPSVXY",
    722: "wCDHNRU",
    778: "GOQ",
    833: "mM",
    944: "W",
}
"""The width of letters in a common sans serif, in thousandths of its size."""

_WIDTHS = {char: width for width, chars in _GROUPS.items() for char in chars}
_OTHER = 1000
_BOLD = 1.07


def width_of(text: str, size: float, bold: bool = False) -> float:
    """Return the width of `text`, in the unit of `size`, the height of its font.

    No font is consulted, so that the picture is the same on every machine.

    >>> width_of("Rule", 16), width_of("Rule", 16, bold=True)
    (32.9, 35.2)
    """
    thousandths = sum(_WIDTHS.get(char, _OTHER) for char in text)
    return round(thousandths / 1000 * size * (_BOLD if bold else 1), 1)
