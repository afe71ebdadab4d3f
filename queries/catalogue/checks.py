"""The checks of the graph: what each looks for, and how grave it is when it finds it."""

from __future__ import annotations

from typing import NamedTuple

from ..files import QUERIES
from .questions import header

SEVERITIES = ("error", "warning", "info")
"""How grave a finding can be, the gravest first."""

PROFILE = {
    "citation_without_reference": "error",
    "link_to_itself": "error",
    "link_to_nothing": "error",
    "name_of_two_terms": "error",
    "part_of_itself": "error",
    "redirect_circle": "warning",
    "reference_out_of_text": "error",
    "reliance_without_kind": "error",
    "term_without_name": "error",
    "text_without_place": "error",
    "unknown_name": "error",
}
"""How grave the finding of each check is: a query does not say."""


class Check(NamedTuple):
    """One defect that can be looked for; its query gives `?entity ?property ?value`."""

    name: str
    severity: str
    title: str
    text: str


def check(name: str) -> Check:
    """Return the check called `name`."""
    text = QUERIES.read("checks", name)
    title = " ".join(value for key, _, _, value in header(text) if key == "check")
    return Check(name, PROFILE[name], title, text)


def checks() -> tuple[Check, ...]:
    """Return all checks, the gravest first, then by name."""
    found = [check(name) for name in QUERIES.names("checks")]
    return tuple(sorted(found, key=lambda it: (SEVERITIES.index(it.severity), it.name)))
