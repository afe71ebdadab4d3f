"""Sentences are found in our own texts, and every word of a text is in one."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesgraph.loaders.language.senses import sentence_at
from rulesgraph.loaders.language.words import ends_paragraph, ends_sentence, sentences

# (text, its sentences)
SENTENCES = [
    ("A lamp burns. A bell rings.", ["A lamp burns.", "A bell rings."]),
    # two spaces, as on pages typed by hand
    ("A lamp burns.  A bell rings.", ["A lamp burns.", "A bell rings."]),
    # numbers of rules contain dots
    ("See rule 420.5 for lamps. Bells differ.", ["See rule 420.5 for lamps.", "Bells differ."]),
    ("This is a check. See rule 12.", ["This is a check.", "See rule 12."]),
    # a number can end a sentence
    ("It is ruled in 12. Then it burns.", ["It is ruled in 12.", "Then it burns."]),
    # abbreviations
    ("Lamps, e.g. Brass ones, burn. Others do not.", ["Lamps, e.g. Brass ones, burn.", "Others do not."]),
    ("Lamps vs. Bells is a game. It ends.", ["Lamps vs. Bells is a game.", "It ends."]),
    ("It is No. 5 of nine. It burns.", ["It is No. 5 of nine.", "It burns."]),
    ("He said no. Five lamps went out.", ["He said no.", "Five lamps went out."]),
    # a quotation keeps its sentences together, and its end can be the end of the sentence
    ('"Ring" means "Turn. Then wait." It is short.', ['"Ring" means "Turn. Then wait."', "It is short."]),
    ("“Ring” means “Turn. Then wait.” It is short.", ["“Ring” means “Turn. Then wait.”", "It is short."]),
    ('"Turn. Then wait." is all. It is short.', ['"Turn. Then wait." is all.', "It is short."]),
    ("“Turn. Then wait.” is all. It is short.", ["“Turn. Then wait.” is all.", "It is short."]),
    # so does a bracket
    ("It dims (it must. See 3.) at night. It ends.", ["It dims (it must. See 3.) at night.", "It ends."]),
    # a sentence in brackets
    ("It dims. (See rule 4, \"Lamps.\") It ends.", ["It dims.", '(See rule 4, "Lamps.")', "It ends."]),
    # a quotation or bracket that is never closed is a slip, and joins nothing
    ('It dims. See "Lamps. It ends.', ["It dims.", 'See "Lamps.', "It ends."]),
    ("It dims (at night. It ends.", ["It dims (at night.", "It ends."]),
    ('(This is a check.") See rule 4.', ['(This is a check.")', "See rule 4."]),
    # lists with letters and figures
    ("Do this: (a) ring, (b) wait. Then stop.", ["Do this: (a) ring, (b) wait.", "Then stop."]),
    ("Do this: 1. Ring. 2. Wait.", ["Do this: 1. Ring.", "2. Wait."]),
    # symbols in braces can begin a sentence, small letters cannot
    ("Pay it. {W} is white.", ["Pay it.", "{W} is white."]),
    ("The cost is 3 oil. or so.", ["The cost is 3 oil. or so."]),
    # questions and shouts
    ("Does it burn? No! It rings.", ["Does it burn?", "No!", "It rings."]),
    # a new paragraph is a new sentence, whatever ends the one before
    ("Lamps\nA lamp burns.", ["Lamps", "A lamp burns."]),
    ("", []),
    ("   ", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), SENTENCES)
def test_a_text_falls_into_its_sentences(text: str, expected: list[str]) -> None:
    assert [text[a:b] for a, b in sentences(text)] == expected


def test_the_sentence_at_a_place() -> None:
    text = "A lamp burns. A bell rings."
    assert [sentence_at(text, place) for place in (0, 12, 14, 26)] == [
        *2 * ["A lamp burns."],
        *2 * ["A bell rings."],
    ]


# (text, whether it ends as a sentence, whether it ends as a paragraph)
ENDS = [
    ("It rings.", True, True),
    ('He says "ring."', True, True),
    ("It rings (twice)", False, True),
    ("These ring:", False, True),
    ("Bells and Lamps", False, False),
]


@pytest.mark.parametrize(("text", "sentence", "paragraph"), ENDS)
def test_what_ends_a_text(text: str, sentence: bool, paragraph: bool) -> None:
    assert (ends_sentence(text), ends_paragraph(text)) == (sentence, paragraph)


TEXTS = st.text(alphabet="aB1 .!?\"'()“”\n{}", max_size=60)


@given(TEXTS)
def test_sentences_hold_every_word_once_and_in_order(text: str) -> None:
    spans = list(sentences(text))
    assert all(a < b for a, b in spans)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())
