"""Sentences are found in texts of our own; the sentence around a place is the one that it stands in."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesgraph.queries.explain import fold, sentence_around, sentences

# (text, its sentences)
SENTENCES = [
    ("A lamp burns. A bell rings.", ["A lamp burns.", "A bell rings."]),
    # two spaces, as on pages typed by hand
    ("A lamp burns.  A bell rings.", ["A lamp burns.", "A bell rings."]),
    # numbers of rules have dots of their own
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
    # so does a bracket
    ("It dims (it must. See 3.) at night. It ends.", ["It dims (it must. See 3.) at night.", "It ends."]),
    # a bracket that is a sentence of its own
    ("It dims. (See rule 4, \"Lamps.\") It ends.", ["It dims.", '(See rule 4, "Lamps.")', "It ends."]),
    # a quotation or bracket that is never closed is a slip, and holds nothing together
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
    # a new paragraph is a new sentence, whatever stands at the end of the one before
    ("Lamps\nA lamp burns.", ["Lamps", "A lamp burns."]),
    ("", []),
    ("   ", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), SENTENCES)
def test_a_text_falls_into_its_sentences(text: str, expected: list[str]) -> None:
    assert [text[a:b] for a, b in sentences(text)] == expected


# (text, words looked for, what is quoted)
AROUND = [
    ("A lamp burns. A bell rings. A moth dies.", "bell", "A bell rings."),
    ("A lamp burns. A bell rings.", "lamp", "A lamp burns."),
    # what only points elsewhere comes with what it is said about
    ("A lamp burns. It is lit. See rule 420.5.", "rule 420.5", "It is lit. See rule 420.5."),
    # so does what speaks of what was just said
    ("It dies. This is a check. See rule 4.", "rule 4", "It dies. This is a check. See rule 4."),
    ("It dies. This “dark rule” is a check. It ends.", "check", "It dies. This “dark rule” is a check."),
    ("It dies. (This is a check. See rule 4.)", "rule 4", "It dies. (This is a check. See rule 4.)"),
    ("It dims. It dies. This lamp burns.", "burns", "This lamp burns."),
    ("It dims. (See rule 4.) It ends.", "rule 4", "It dims. (See rule 4.)"),
    ("It dims.  See also Bell.", "Bell", "It dims. See also Bell."),
    # not beyond the paragraph, and not where nothing stands before
    ("It dims.\nSee rule 4.", "rule 4", "See rule 4."),
    ("Also see Rule 4.", "Rule 4", "Also see Rule 4."),
    # white space is folded
    ("A  lamp\nburns   here.", "burns", "burns here."),
    # a span over two sentences gives both
    ("A lamp burns. A bell rings.", "burns. A bell", "A lamp burns. A bell rings."),
]


@pytest.mark.parametrize(("text", "words", "expected"), AROUND)
def test_the_sentence_around_a_place(text: str, words: str, expected: str) -> None:
    start = text.index(words)
    assert sentence_around(text, start, start + len(words)) == expected


def test_a_place_outside_of_the_text_gives_the_whole_text() -> None:
    assert sentence_around("A lamp burns.", 40, 44) == "A lamp burns."


TEXTS = st.text(alphabet="aB1 .!?\"'()“”\n{}", max_size=60)


@given(TEXTS)
def test_sentences_hold_every_word_once_and_in_order(text: str) -> None:
    spans = sentences(text)
    assert all(a < b for a, b in spans)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())


@given(TEXTS.filter(str.strip), st.data())
def test_what_is_looked_for_stands_in_the_quote(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    assert fold(text[start:end]) in sentence_around(text, start, end)
