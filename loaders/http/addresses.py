"""Clean addresses and messages from servers before they are shown: no passwords, no control characters."""

from __future__ import annotations

import re

_CREDENTIALS = r"(?i)([a-z][a-z0-9+.-]*://)[^/?#\s]*@"
_TORN = r"(?i)([a-z][a-z0-9+.-]*://)(?!\[)[^/?#\s:@]*:(?!\d*(?:[/?#\s]|$))[^/?#\s@]*[/?#]\S*@"
"""A password with a character that ends the host of an address: the text before it looks like a port."""

TORN = "in a password / is written %2F, ? %3F, # %23 and @ %40"


def without_password(location: str) -> str:
    """Return a location without user and password, also in an address after its ``#``, to be shown.

    >>> without_password("https://ada:secret@rules.example/sparql"), without_password("rulesgraph-store")
    ('https://rules.example/sparql', 'rulesgraph-store')
    >>> without_password("http://h/query#http://ada:p@ss@h/update")
    'http://h/query#http://h/update'
    >>> without_password("http://ada:pa/ss@h:80/rules"), without_password("http://h:80/@ada")
    ('http://h:80/rules', 'http://h:80/@ada')
    """
    if "@" not in location:
        return location
    return re.sub(_CREDENTIALS, r"\1", re.sub(_TORN, r"\1", location))


def is_torn(address: str) -> bool:
    """Return whether a character of its password breaks an address, so that its parts are misread."""
    return "@" in address and bool(re.search(_TORN, address))


def in_one_line(text: str) -> str:
    r"""Fold white space, and show control characters rather than obey them.

    >>> in_one_line("No\x1b[31m\n  luck")
    'No\\x1b[31m luck'
    """
    folded = " ".join(text.split())
    if folded.isprintable():
        return folded
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in folded)


def is_loopback(host: str) -> bool:
    """Return whether a host name or address can only mean this machine."""
    if host == "localhost":
        return True
    import ipaddress  # every command shows addresses, few check a host

    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
