"""The vocabulary becomes its page, at the address where its names are found."""

from __future__ import annotations

import re
from html import unescape

from .page import Page
from .shelf import Shelf


def vocabulary_page(shelf: Shelf, name: str) -> Page:
    """Return the reference page; `name` is that of the address: ``"ns"``, ``"game"`` …"""
    from ....viz.vocabulary.reference import render_vocabulary

    html = render_vocabulary()
    return Page(200, "The vocabulary", html, f"{name}.html", policy=policy_of(html))


def policy_of(html: str) -> str:
    """Return the security policy that a page of one file brings."""
    found = re.search(r'http-equiv="Content-Security-Policy"\s+content="([^"]*)"', html)
    assert found is not None
    return unescape(found[1])
