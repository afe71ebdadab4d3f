"""Words become widths, without asking for a font: the picture is the same on every machine."""

from __future__ import annotations

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
"""How wide a usual sans serif draws its letters, in thousandths of its size."""

_WIDTHS = {char: width for width, chars in _GROUPS.items() for char in chars}
_OTHER = 1000
_BOLD = 1.07


def width_of(text: str, size: float, bold: bool = False) -> float:
    """Return how wide `text` is to be drawn, in the unit of `size`, the height of its font.

    >>> width_of("Rule", 16), width_of("Rule", 16, bold=True)
    (32.9, 35.2)
    """
    thousandths = sum(_WIDTHS.get(char, _OTHER) for char in text)
    return round(thousandths / 1000 * size * (_BOLD if bold else 1), 1)
