"""The sentence around a place is the one that contains it, with one that it depends on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesgraph.loaders.language.words import fold
from rulesgraph.queries.evidence.links import sentence_around

# (text, searched words, quotation)
AROUND = [
    ("A lamp burns. A bell rings. A moth dies.", "bell", "A bell rings."),
    ("A lamp burns. A bell rings.", "lamp", "A lamp burns."),
    # what only points elsewhere comes with what it is said about
    ("A lamp burns. It is lit. See rule 420.5.", "rule 420.5", "It is lit. See rule 420.5."),
    # so does one about what was just said
    ("It dies. This is a check. See rule 4.", "rule 4", "It dies. This is a check. See rule 4."),
    ("It dies. This “dark rule” is a check. It ends.", "check", "It dies. This “dark rule” is a check."),
    ("It dies. (This is a check. See rule 4.)", "rule 4", "It dies. (This is a check. See rule 4.)"),
    ("It dims. It dies. This lamp burns.", "burns", "This lamp burns."),
    ("It dims. (See rule 4.) It ends.", "rule 4", "It dims. (See rule 4.)"),
    ("It dims.  See also Bell.", "Bell", "It dims. See also Bell."),
    # not beyond the paragraph, and not where nothing comes before
    ("It dims.\nSee rule 4.", "rule 4", "See rule 4."),
    ("Also see Rule 4.", "Rule 4", "Also see Rule 4."),
    # white space is folded
    ("A  lamp\nburns   here.", "burns", "burns here."),
    # a span over two sentences gives both
    ("A lamp burns. A bell rings.", "burns. A bell", "A lamp burns. A bell rings."),
    # one that only touches another sentence does not
    ("A lamp burns. A bell rings.", "burns. ", "A lamp burns."),
    ("A lamp burns. A bell rings.", " A bell", "A bell rings."),
]


@pytest.mark.parametrize(("text", "words", "expected"), AROUND)
def test_the_sentence_around_a_place(text: str, words: str, expected: str) -> None:
    start = text.index(words)
    assert sentence_around(text, start, start + len(words)) == expected


def test_a_place_outside_of_the_text_gives_the_whole_text() -> None:
    assert sentence_around("A lamp burns.", 40, 44) == "A lamp burns."


TEXTS = st.text(alphabet="aB1 .!?\"'()“”\n{}", max_size=60)


@given(TEXTS.filter(str.strip), st.data())
def test_what_is_looked_for_stands_in_the_quote(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    assert fold(text[start:end]) in sentence_around(text, start, end)
