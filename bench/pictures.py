"""Pictures: the cost of the commands, and the speed of their pages in a browser without a graphics card."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from rulesgraph.loaders.build import build

from . import COMMAND, cpu_of

DRAWN = "performance.getEntriesByName('rulesgraph:drawn')"
STEPS = 40

PictureFigure = tuple[str, str, str]
"""The measurement, the figure, and the aim."""


def pictures(rules: Path, folder: Path) -> list[PictureFigure]:
    """Measure the pictures of one edition: CPU of the commands, first paint, and frames while it moves."""
    store = folder / "pictures"
    build([rules], str(store))
    rows: list[PictureFigure] = []
    pages = {
        "a focus view": (["--around", "Deathtouch"], "1 s", "500 ms"),
        "a short answer": (["--answer", "definition", "Deathtouch"], "1 s", "500 ms"),
        "a whole edition": ([], "10 s", "1500 ms"),
    }
    with sync_playwright() as playwright:
        program = "/usr/bin/chromium"
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        for name, (arguments, cpu, paint) in pages.items():
            file = folder / "picture.html"
            taken = cpu_of([*COMMAND, "viz", *arguments, "--store", str(store), "-o", str(file)], 2)
            rows.append((f"{name}: the command", f"{taken:.1f} s of CPU", cpu))
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(file.as_uri())
            page.wait_for_function(f"{DRAWN}.length > 0")
            rows.append((f"{name}: first paint", f"{page.evaluate(f'{DRAWN}[0].startTime'):.0f} ms", paint))
            rows.append((f"{name}: zooming", f"{_frames(page, _zoom):.0f} frames/s", "at least 30"))
            rows.append((f"{name}: panning", f"{_frames(page, _pan):.0f} frames/s", "at least 30"))
            page.close()
        browser.close()
    return rows


def _frames(page: Page, move: object) -> float:
    """Return the frames in a second while the view moves."""
    assert callable(move)
    page.evaluate(
        "() => { window.frames_ = []; const tick = (at) => frames_.push(at) && requestAnimationFrame(tick);"
        " requestAnimationFrame(tick); }"
    )
    move(page)
    times: list[float] = page.evaluate("() => window.frames_")
    return 1000 * (len(times) - 1) / (times[-1] - times[0])


def _middle(page: Page) -> tuple[float, float]:
    box = page.locator("#stage").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _zoom(page: Page) -> None:
    page.mouse.move(*_middle(page))
    for step in range(STEPS):
        page.mouse.wheel(0, -60 if step < STEPS / 2 else 60)
        page.wait_for_timeout(40)


def _pan(page: Page) -> None:
    x, y = _middle(page)
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(STEPS):
        page.mouse.move(x + 8 * step, y + 4 * step)
        page.wait_for_timeout(30)
    page.mouse.up()
