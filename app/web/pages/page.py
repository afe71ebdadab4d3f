"""What every kind of page returns, and how its links are written."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

from ....queries.session import Edition


@dataclass(frozen=True, slots=True)
class Page:
    """A whole page.

    Attributes:
        status: as HTTP has it: 200, 404 for what is not there, 410 for what is no longer there.
        title: what stands in the window and in lists of results.
        html: all of it, the same bytes for the same store.
        address: where it belongs, below the base of the data, without a leading slash.
        modified: the day of the newest edition that it tells of, or None.
        policy: its security policy, where it is another than that of most pages.
        words: what a map fetches from beside it, as JSON.
    """

    status: int
    title: str
    html: str
    address: str
    modified: date | None = None
    policy: str = ""
    words: str = ""


class Ways:
    """Writes the links of a page that stands at one address: relative, so that they hold under any host.

    `live` is false on a static site, where what a server does is done by a page with a script.

    >>> Ways("edition/starter/rule/420.html").to("term/life.html")
    '../../../term/life.html'
    """

    __slots__ = ("_live", "_up")

    def __init__(self, address: str, *, live: bool = True) -> None:
        self._up = "../" * address.partition("?")[0].count("/")
        self._live = live

    def to(self, address: str) -> str:
        """Return the link to an address below the base; ``""`` is the front page."""
        return (self._up + address) or "./"

    def tool(self, name: str) -> str:
        """Return the link to what is asked with words behind a question mark: search, the map."""
        return self.to(name if self._live else f"{name}.html")

    def map(self, around: str, local: str, edition: Edition) -> str:
        """Return the link to a view around a thing; on a static site to its place on the map.

        `around` is its name or number, `local` its IRI below the base.
        """
        if self._live:
            asked = {"around": around} if edition.current else {"around": around, "edition": edition.id}
            return f"{self.tool('map')}?{urlencode(asked)}"
        return f"{self.to('map.html')}#{local}"
