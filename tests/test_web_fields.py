"""Requests of the protocol are split into fields: percent-encoded by browsers, scripts and wget."""

from __future__ import annotations

import asyncio
from urllib.parse import parse_qsl, quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesgraph.app.web.sparql.protocol import asked_of
from starlette.exceptions import HTTPException
from starlette.requests import Request

LONGEST = 100_000


def read(line: bytes) -> str:
    """Return the query of a request by GET."""
    request = Request({"type": "http", "method": "GET", "headers": [], "query_string": line})
    asked = asyncio.run(asked_of(request, LONGEST))
    assert asked is not None
    return asked[0].text


@pytest.mark.parametrize(
    ("line", "query"),
    [
        (b"query=a%20b+c", "a b c"),
        (b"query=a%2Bb", "a+b"),
        (b"query=%E2%82%ac", "€"),
        # sent as it is, which no standard allows and many do
        ("query=€ a".encode(), "€ a"),
        (b"query=a=b%3D", "a=b="),
        # what is no encoding stays; in quoted-printable each of these means something
        (b"query=%zz%4", "%zz%4"),
        (b"query=a%3D%0Ab", "a=\nb"),
        (b"query=a%0D%0A%09%20", "a\r\n\t "),
        (b"query=_%5F%00", "__\0"),
        (b"&&query=a&", "a"),
        (b"%71uery=a", "a"),
        (b"query=", ""),
        (b"query", ""),
    ],
)
def test_an_encoding_is_undone(line: bytes, query: str) -> None:
    assert read(line) == query
    assert dict(parse_qsl(line.decode(), keep_blank_values=True))["query"] == query


@given(st.text(), st.sampled_from(["", "/", "?=:{}<>"]))
def test_what_is_encoded_comes_back(text: str, safe: str) -> None:
    assert read(f"query={quote_plus(text)}".encode()) == text
    assert read(f"query={quote(text, safe=safe)}".encode()) == text


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"query=%FF", "The request is not in UTF-8."),
        (b"query=\xff", "The request is not in UTF-8."),
        (b"query=a" + b"&b=c" * 200, "The request has too many fields."),
    ],
)
def test_what_is_no_form_is_refused(line: bytes, reason: str) -> None:
    with pytest.raises(HTTPException) as refused:
        read(line)
    assert (refused.value.status_code, refused.value.detail) == (400, reason)
