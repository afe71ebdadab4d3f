"""What cannot be answered becomes a page in the frame of all others, which needs nothing of the data."""

from __future__ import annotations

from ..headers import PAGE_POLICY
from .page import Ways
from .press import environment


def refused_page(address: str, title: str, reason: str) -> str:
    """Return a page that says why nothing is shown at an address; each line of `reason` is a paragraph."""
    return (
        environment()
        .get_template("refused.html")
        .render(
            links=Ways(address.removeprefix("/")),
            title=title,
            said=reason.splitlines(),
            policy=PAGE_POLICY,
            live=True,
            mapped=True,
            frame=None,
            canonical="",
            described="",
            forms=(),
            choices=(),
        )
    )
