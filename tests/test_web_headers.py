"""A client's conditional headers, compared with the tag of an answer."""

from __future__ import annotations

import pytest
from rulesgraph.app.web.headers import has_already
from starlette.requests import Request


@pytest.mark.parametrize(
    ("said", "has"),
    [
        ('W/"a1"', True),
        ('"a1"', True),
        ('"b2", W/"a1"', True),
        ("*", True),
        ('"b2"', False),
        ('"a12"', False),
        ("", False),
    ],
)
def test_a_tag_is_found_among_those_that_a_client_names(said: str, has: bool) -> None:
    request = Request({"type": "http", "headers": [(b"if-none-match", said.encode())]})
    assert has_already(request, 'W/"a1"') is has


def test_a_client_that_names_none_has_nothing() -> None:
    assert not has_already(Request({"type": "http", "headers": []}), 'W/"a1"')
