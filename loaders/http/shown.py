"""What may be shown of addresses and of what servers say: no password, and nothing that a terminal obeys."""

from __future__ import annotations

import re


def without_password(location: str) -> str:
    """Return a location as it may be shown: of an address, and of one behind its ``#``, user and password go.

    >>> without_password("https://ada:secret@rules.example/sparql"), without_password("rulesgraph-store")
    ('https://rules.example/sparql', 'rulesgraph-store')
    >>> without_password("http://h/query#http://ada:p@ss@h/update")
    'http://h/query#http://h/update'
    """
    return re.sub(r"(?i)([a-z][a-z0-9+.-]*://)[^/?#\s]*@", r"\1", location)


def in_one_line(text: str) -> str:
    r"""Fold white space, and show control characters rather than obey them.

    >>> in_one_line("No\x1b[31m\n  luck")
    'No\\x1b[31m luck'
    """
    folded = " ".join(text.split())
    if folded.isprintable():
        return folded
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in folded)
