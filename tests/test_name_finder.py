"""The words that name a term are found again: the name first, then forms of the verb at its beginning."""

from __future__ import annotations

import pytest
from asking import IRIS, session_of
from rulesgraph.queries.evidence.links import NameFinder

NAMES = """
t:kindle skos:prefLabel "Kindle" .
t:ring-the-bell skos:prefLabel "Ring the Bell" ; skos:altLabel "Bell Ringing" .
t:kindled-lamp skos:prefLabel "Kindled Lamp" .
t:moth skos:prefLabel "Moth" .
t:hush skos:prefLabel "Hush—[text]" .
"""

# (slug, text, the words that name it)
FOUND = [
    ("kindle", "They kindle a lamp.", "kindle"),
    ("kindle", "A lamp was kindled.", "kindled"),
    (
        "kindle",
        "Kindling a lamp costs oil; to kindle two costs more.",
        "kindle",
    ),  # the name itself comes first
    ("kindle", "A kindled lamp shines.", None),  # that is another name
    ("ring-the-bell", "She rang the bell twice.", "rang the bell"),
    ("ring-the-bell", "She rang a bell.", None),
    ("ring-the-bell", "There was bell ringing.", "bell ringing"),
    ("moth", "Two moths rest.", "moths"),
    ("moth", "Nothing rests.", None),
    ("hush", "Hush falls.", None),  # a template alone names nothing
]


@pytest.mark.parametrize(("slug", "text", "words"), FOUND)
def test_where_a_name_stands(slug: str, text: str, words: str | None) -> None:
    term = IRIS.term(slug)
    span = NameFinder(session_of(NAMES), {term}).span(text, term)
    assert (text[slice(*span)] if span else None) == words
