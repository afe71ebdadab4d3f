"""Write self-contained HTML pages that fetch nothing and run no script but their own.

pyvis includes vis-network, which draws nodes and links. The page around it is ours, because pyvis's page
loads style sheets from another host and inserts names unescaped. Here every word is data: JSON in which no
tag can begin, shown only through `textContent`, under a content security policy that runs only the two
scripts whose hashes it names.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import resources
from typing import Any

from ..ontology import packaged
from ..ontology.json_values import json_in_html
from ..queries import scripts as searching_scripts

ThingLists = Sequence[tuple[str, Sequence[str]]]
"""The list on a page for readers without scripts: headings, each with names of things."""

DIRECTIVES = ("img-src data:", "require-trusted-types-for 'script'", "trusted-types 'none'")
"""The page's policy beyond its scripts and style: vis-network draws its own images."""

FETCHING = "connect-src 'self'"
"""The addition to the policy of a page that fetches its words from its own host."""


def render(
    title: str,
    data: Mapping[str, object],
    scripts: Sequence[str],
    *,
    note: str = "",
    listing: ThingLists = (),
    fetches: bool = False,
) -> str:
    """Return an HTML page that shows `data` with the named scripts of the templates.

    `title`, `note` (a sentence about the content of the page) and `listing` are shown before any script runs.
    Only a page that `fetches` may send requests, and only to the host that it came from.
    """
    from jinja2 import Environment
    from markupsafe import Markup

    read = partial(packaged, __package__, "templates")
    drawing = library()
    shared = searching_scripts()
    script = "\n".join((shared.get(name) or read(name)).decode() for name in scripts)
    style = read("page.css").decode()
    template = Environment(autoescape=True).from_string(read("page.html").decode())
    return template.render(
        title=title,
        note=note,
        listing=listing,
        policy=content_policy([drawing, script], style, *DIRECTIVES, *([FETCHING] if fetches else [])),
        style=Markup(style),
        data=Markup(json_in_html(data)),
        library=Markup(drawing),
        script=Markup(script),
    )


def empty_network() -> Any:
    """Return a directed `pyvis.network.Network` without nodes: its `nodes` and `edges` are lists of dicts."""
    # Imported here because pyvis takes most of a second (it imports IPython and networkx): only pictures need
    # it.
    from pyvis.network import Network  # type: ignore[import-untyped]

    return Network(directed=True)


def library() -> str:
    """Return the source of the newest vis-network in pyvis."""
    versions = {
        tuple(int(n) for n in folder.name.split("-")[1].split(".")): folder
        for folder in resources.files("pyvis").joinpath("templates", "lib").iterdir()
        if folder.name.startswith("vis-")
    }
    source = versions[max(versions)].joinpath("vis-network.min.js").read_text(encoding="utf-8")
    # HTML forbids the control character in one of its strings.
    return source.replace("</script", "<\\/script").replace("\x85", "\\x85")


def content_policy(scripts: Sequence[str], style: str, *more: str) -> str:
    """Return the policy under which only these scripts and this style sheet work.

    `more` are further directives for the page, in their written form. Whatever the page contains, no other
    script runs, and no request is sent (Content Security Policy 3, hashes of inline sources).

    >>> print(content_policy([], "p {}"))
    default-src 'none'; script-src 'none'; style-src 'sha256-SNJDlN1Iy2mnt7DOjQIyDb2LQE6O5PQiSZomcdzawQ4='; \
base-uri 'none'; form-action 'none'
    """
    directives = (
        "default-src 'none'",
        f"script-src {' '.join(map(_hashed, scripts)) or _NONE}",
        f"style-src {_hashed(style)}",
        *more,
        "base-uri 'none'",
        "form-action 'none'",
    )
    return "; ".join(directives)


_NONE = "'none'"


def _hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
