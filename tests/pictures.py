"""Retake the pictures of the README and the guides with the real rules, for `make pictures`.

`python tests/pictures.py [STORE]` uses a store of editions around July 2009 and the newest; without one, it
builds the stores that the README shows. It needs Chromium and pngquant (from Debian), which saves three
quarters of the bytes.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import real
import rulesgraph
from browser import chromium, until
from playwright.sync_api import Page
from shared import documents

DOCS = Path(__file__).resolve().parents[1] / "docs"
MOST = 300_000
"""Bytes that one picture may have."""

DAYS = (
    "1999-11-01",
    "2003-07-01",
    "2006-07-15",
    *real.FAR_APART[:3],
    "2013-05-01",
    "2016-11-11",
    "2020-04-17",
    *real.AROUND[3:],
    "2025-06-06",
)
"""The editions on the slider."""

LATER = 3600.0
"""Seconds on the page's clock at which nothing moves any more."""

HALFWAY = 650
"""Milliseconds after the start of a flight between editions at which the picture is taken."""


class Shot(NamedTuple):
    """A picture: its name, what draws it from real rules and from the starter rules, and how it is taken.

    `act` runs before it is taken. A `whole` page has its head and its text; others show only the map.
    """

    name: str
    draw: Callable[[rulesgraph.Rules, rulesgraph.Rules], str]
    scheme: str = "light"
    size: tuple[int, int] = (1360, 765)
    whole: bool = False
    act: Callable[[Page], object] = bool


def renumbered(page: Page) -> None:
    """Stop the animation into July 2009 half-way."""
    page.clock.install(time=0)
    page.reload()
    slider, date = page.locator("#when"), page.locator("#date")
    slider.press("Home")
    while not date.inner_text().startswith("1 May 2009"):
        slider.press("ArrowRight")
    page.locator("#fit").click()
    page.clock.pause_at(LATER)
    page.clock.run_for(1000)  # until the view has come to rest
    slider.press("ArrowRight")
    slider.evaluate("it => it.blur()")
    page.clock.run_for(HALFWAY)


SHOTS = (
    Shot("map", lambda rules, _: rules.picture().html, whole=True),
    Shot(
        "chain", lambda rules, _: rules.picture(answer=("why", "Trample", "State-Based Actions")).html, "dark"
    ),
    Shot("time", lambda rules, _: rules.picture(editions="all").html, act=renumbered),
    Shot(
        "graph",
        lambda _, starter: starter.picture(around="State-Based Effects", depth=2).html,
        size=(1280, 760),
        whole=True,
    ),
)


def take(rules: rulesgraph.Rules, starter: rulesgraph.Rules, folder: Path) -> None:
    """Take all pictures into `docs`; `folder` is for temporary files."""
    with chromium() as browser:
        for shot in SHOTS:
            html = folder / f"{shot.name}.html"
            html.write_text(shot.draw(rules, starter), encoding="utf-8")
            width, height = shot.size
            page = browser.new_page(viewport={"width": width, "height": height}, device_scale_factor=1.5)
            page.emulate_media(
                color_scheme="dark" if shot.scheme == "dark" else "light", reduced_motion="no-preference"
            )
            page.goto(html.as_uri())
            until(page, "performance.getEntriesByName('rulesgraph:drawn').length > 0")
            shot.act(page)
            into = folder / f"{shot.name}.png"
            clip = None if shot.whole else page.locator("#stage").bounding_box()
            page.screenshot(path=into, clip=clip)
            page.close()
            keep(into, DOCS / into.name)


def keep(picture: Path, place: Path) -> None:
    """Save a picture in 256 colours, which are enough for land and letters."""
    subprocess.run(
        ["pngquant", "--strip", "--speed", "1", "--force", "--output", str(place), str(picture)], check=True
    )
    size = place.stat().st_size
    sys.stdout.write(f"{place.name}: {size:,} bytes\n")
    if size > MOST:
        sys.exit(f"{place.name} is larger than the {MOST:,} bytes that a picture may have")


def main() -> None:
    """Take the pictures."""
    if not shutil.which("pngquant"):
        sys.exit("pngquant is missing (apt-get install pngquant)")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if len(sys.argv) > 1:
            store = Path(sys.argv[1])
        else:
            store = folder / "store"
            rulesgraph.build([real.rules(documents(), day) for day in DAYS], store=store)
        starter = rulesgraph.build(store=folder / "starter").rules
        take(rulesgraph.open(store), starter, folder)


if __name__ == "__main__":
    main()
