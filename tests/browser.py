"""A headless Chromium for the tests that look at pages as a reader does."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Dialog, Page, sync_playwright

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


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the machine's own Chromium with a profile that is thrown away; skip where there is none."""
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
    """A page with everything that it asked for, complained of, or ran that it should not have.

    `requests` are the URLs that the browser asked for, `complaints` the messages and errors of its
    console (violations of the content security policy among them), `dialogs` what was alerted; with
    `bypass_csp` the page's policy is set aside, for programs that judge it from within.
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
        self.page: Page = browser.new_page(
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
            bypass_csp=bypass_csp,
        )
        self.page.set_default_timeout(10_000)
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
