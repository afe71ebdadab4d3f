"""Define the type of JSON values, and write them into a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

Json = Mapping[str, "Json"] | Sequence["Json"] | str | int | float | bool | date | None
"""A value that can be written as JSON; days are written as ISO 8601."""


def compact(data: object) -> str:
    """Return JSON without spaces and without escaped letters.

    >>> compact({"Dandân": [1, 2]})
    '{"Dandân":[1,2]}'
    """
    import json

    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def json_in_html(data: object) -> str:
    """Return JSON for a script element of a page.

    It contains no `<`, `>` or `&`. HTML ends a script at the first `</script`, and reads `<!--` in a special
    way; inside JSON's strings, the only place for these characters, their escapes mean the same.

    >>> json_in_html("</script>")
    '"\\\\u003c/script\\\\u003e"'
    """
    return compact(data).replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
