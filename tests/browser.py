"""A headless Chromium for tests that look at pages as readers do."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE = 120_000  # milliseconds that a page is waited for on a machine that has much else to do
expect.set_options(timeout=PATIENCE)


def until(page: Page, condition: str) -> None:
    """Wait until an expression is true on a page.

    `Page.wait_for_function` evaluates in the page, which our policy refuses.
    """
    for _ in range(PATIENCE // 20):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(20)
    raise AssertionError(condition)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the machine's own Chromium with a temporary profile; skip if there is none."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("no Chromium on this machine (apt-get install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


class Watched:
    """A page that records its requests, complaints and dialogs.

    `requests` are URLs, `complaints` the console's messages and errors (including violations of the content
    security policy), `dialogs` the alerts. With `bypass_csp`, the page's policy is ignored, for programs that
    check the page from inside.
    """

    def __init__(
        self,
        browser: Browser,
        width: int = 1440,
        height: int = 900,
        scheme: str = "light",
        *,
        bypass_csp: bool = False,
    ) -> None:
        self._size = (width, height)
        self._scheme: Literal["dark", "light"] = "dark" if scheme == "dark" else "light"
        self.page: Page = browser.new_page(
            viewport={"width": width, "height": height},
            color_scheme=self._scheme,
            bypass_csp=bypass_csp,
        )
        self.page.set_default_timeout(PATIENCE)
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.dialogs: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("dialog", self._refuse)

    def _refuse(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def noise(self) -> list[str]:
        """Return what a page in a file must not do: make requests, complaints and dialogs."""
        asked = [url for url in self.requests if not url.startswith(("file:", "data:"))]
        return asked + self.complaints + self.dialogs

    def wipe(self) -> None:
        """Reset to an empty page of the original size that remembers nothing."""
        width, height = self._size
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(media="null", reduced_motion="null", color_scheme=self._scheme)
        self.page.evaluate("localStorage.clear()")
        self.page.goto("about:blank")
        self.page.mouse.move(0, 0)
        for noted in (self.requests, self.complaints, self.dialogs):
            noted.clear()


def choose(page: Page, typed: str, name: str) -> None:
    """Search for text in a picture, and wait until the thing with this name is selected."""
    page.locator("#search").fill(typed)
    page.keyboard.press("Enter")
    expect(page.locator("#panel h2")).to_have_text(name)


class Tabs:
    """Pages of a browser that tests reuse, because opening one takes longer than most tests."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: defaultdict[str, list[Watched]] = defaultdict(list)
        self._used: list[tuple[str, Watched]] = []

    def open(self, **view: Any) -> Watched:
        """Return an empty page made by `Watched` with these options."""
        free = self._free[str(sorted(view.items()))]
        it = free.pop() if free else Watched(self._browser, **view)
        self._used.append((str(sorted(view.items())), it))
        return it

    def show(self, html: str, folder: Path, at: str = "", **view: Any) -> Watched:
        """Open a picture from a file in its own folder, and wait until it is drawn."""
        file = folder / f"page-{len(self._used)}.html"
        file.write_text(html, encoding="utf-8")
        it = self.open(**view)
        it.page.goto(file.as_uri() + at)
        until(it.page, "performance.getEntriesByName('rulesgraph:drawn').length > 0")
        return it

    def leave(self) -> list[str]:
        """Leave the pages to the next test; return what they complained about in this one."""
        noise = [told for _, it in self._used for told in it.noise()]
        for key, it in self._used:
            it.wipe()
            self._free[key].append(it)
        self._used.clear()
        return noise
