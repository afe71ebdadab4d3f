"""Web copies: words broken by a filter, changed quotation marks, kept headings, cuts anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from real import parsed, seed
from rulesgraph.loaders.reading.fragments import join_filtered, mend, parse_fragment, turn_quotes
from rulesgraph.loaders.reading.source import decode
from rulesgraph.loaders.records import Document, Severity
from rulesgraph.ontology.errors import SourceError
from rulesgraph.ontology.terms import DocumentKind

COPY = """\
Part 3 (2/2)

A bell that rings is cla.s.sical. See rule 408.1, ”Ringing.”

Ba.s.s Bell

The deepest bell hides behind ”s.h.i.+elds” of tin.

Example: It rings ”low.”

Lamp

A lamp burns.

A second lamp burns, e.g. at night.

Tower
"""


def load(text: str) -> Document:
    return parse_fragment(decode(text.encode(), "copy.txt"), DocumentKind.WEB_COPY)


@pytest.fixture(scope="module")
def copy() -> Document:
    return load(COPY)


@pytest.mark.parametrize(
    ("found", "mended"),
    [
        ("a.s.sign", "assign"),
        ("pa.s.ses", "passes"),
        ("s.h.i.+elds", "shields"),
        ("Pa.s.s in succession", "Pass in succession"),
        ("first-cla.s.s lamps", "first-class lamps"),
        ("(a.s.signs)", "(assigns)"),
        ("the a.s.sa.s.sin's blade", "the assassin's blade"),
        ("they pa.s.s.", "they pass."),
        # abbreviations and initials
        ("lamps, e.g. bells, i.e. gongs", "lamps, e.g. bells, i.e. gongs"),
        ("at 5 p.m.the lamp", "at 5 p.m.the lamp"),
        ("a.k.a. the keeper", "a.k.a. the keeper"),
        ("the U.S.A. and the U.S.Army", "the U.S.A. and the U.S.Army"),
        ("J.R.R.Keeper", "J.R.R.Keeper"),
        # addresses and numbers
        ("www.x.com and www.lamps.com/default.asp?x=bell", "www.x.com and www.lamps.com/default.asp?x=bell"),
        ("https://a.b.net/c.d.html", "https://a.b.net/c.d.html"),
        ("keeper@mail.x.org", "keeper@mail.x.org"),
        ("rule 502.15a and +1/+1", "rule 502.15a and +1/+1"),
        # a sentence's end without its space, and dots of omission
        ("It ends.The next begins.", "It ends.The next begins."),
        ("wait...what", "wait...what"),
        ("press a.then.b", "press a.then.b"),
    ],
)
def test_filtered_words(found: str, mended: str) -> None:
    assert join_filtered(found) == mended
    assert join_filtered(mended) == mended


@pytest.mark.parametrize(
    ("found", "turned"),
    [
        ("the ”bell” rings", "the “bell” rings"),
        ("”Bell” and ”lamp.”", "“Bell” and “lamp.”"),
        ("(see rule 1, ”Bell.”)", "(see rule 1, “Bell.”)"),
        ("a lamp–”bright”–burns", "a lamp–“bright”–burns"),
        ("“both open“", "“both open”"),
        ("“already right”", "“already right”"),
        ('"straight"', '"straight"'),
    ],
)
def test_quotes_are_turned(found: str, turned: str) -> None:
    assert turn_quotes(found) == turned


def test_headings_own_the_paragraphs_below_them(copy: Document) -> None:
    assert [(e.heading, e.key, [p.text for p in e.paragraphs]) for e in copy.entries] == [
        ("Bass Bell", "bass-bell", ["The deepest bell hides behind “shields” of tin."]),
        ("Lamp", "lamp", ["A lamp burns.", "A second lamp burns, e.g. at night."]),
        ("Tower", "tower", []),
    ]
    (loose,) = copy.paragraphs
    assert loose.text == "A bell that rings is classical. See rule 408.1, “Ringing.”"
    assert loose.references[0].targets[0].key == "408.1"
    assert loose.references[0].quoted_title == "Ringing"
    assert [e.text for e in copy.entries[0].paragraphs[0].examples] == ["It rings “low.”"]


def test_words_as_found_can_still_be_seen(copy: Document) -> None:
    assert copy.paragraphs[0].as_found == "A bell that rings is cla.s.sical. See rule 408.1, ”Ringing.”"
    assert [p.as_found for p in copy.entries[1].paragraphs] == ["", ""]
    mended = [p.quote for p in copy.problems if p.code == "mended-words"]
    assert mended == ["Ba.s.s Bell", "It rings ”low.”"]


def test_cuts_are_told_without_alarm(copy: Document) -> None:
    cuts = [(p.first_line, p.severity) for p in copy.problems if p.code == "cut-off"]
    assert cuts == [(3, Severity.INFO), (17, Severity.INFO)]
    assert copy.furniture == (1,)
    assert copy.unaccounted == ()
    assert copy.kind is DocumentKind.WEB_COPY


def test_a_bare_heading_in_the_middle_is_a_defect() -> None:
    document = load("Bell\n\nLamp\n\nA lamp burns.\n")
    assert [(p.code, p.subject) for p in document.problems] == [("missing-paragraph", "Bell")]


@pytest.mark.parametrize(
    "line",
    [
        "Part 29 (1/2)",
        "The Keeper's Book Part 4",
        "Chapter 12",
        "Page 3 of 10",
        "- 17 -",
        "Next Chapter",
        "* * *",
        "Glossary",
    ],
)
def test_what_the_site_sets_around_the_text_is_furniture(line: str) -> None:
    document = load(f"{line}\n\nBell\n\nA bell rings.\n")
    assert document.furniture == (1,)
    assert [e.heading for e in document.entries] == ["Bell"]


def test_the_same_words_make_the_same_fragment(copy: Document) -> None:
    healed = COPY.replace("”low.”", '"low."').replace("a.s.s", "ass").replace("s.h.i.+", "shi")
    variants = [
        healed,
        COPY.replace("\n\n", "\n"),
        COPY.replace("\n", "\r\n"),
        COPY.removeprefix("Part 3 (2/2)"),
    ]
    assert {load(text).edition for text in variants} == {copy.edition}
    assert load(COPY.replace("burns", "glows")).edition != copy.edition


def test_a_copy_without_paragraphs_is_refused() -> None:
    with pytest.raises(SourceError, match="no paragraph"):
        load("Bell\n\nLamp\n")


WORD = st.sampled_from("classes assassin shields thimbles pass bell".split())


@given(st.lists(WORD, min_size=1, max_size=8), st.data())
def test_breaking_and_mending_is_the_identity(words: list[str], data: st.DataObject) -> None:
    """Whichever inner letters a filter separates, the word is restored."""
    broken = []
    for word in words:
        start = data.draw(st.integers(1, len(word) - 2))
        end = data.draw(st.integers(start + 1, len(word) - 1))
        glue = data.draw(st.sampled_from([".", ".+"]))
        whole_word_apart = start == 1 and end == len(word) - 1 and glue == "."
        broken.append(
            word if whole_word_apart else ".".join([word[:start], *word[start:end]]) + glue + word[end:]
        )
    assert mend(" ".join(broken)) == " ".join(words)


@given(st.text(max_size=200))
def test_any_text_is_loaded_or_refused(text: str) -> None:
    try:
        source = decode(text.encode(), "noise")
        document = parse_fragment(source, DocumentKind.WEB_COPY)
    except SourceError:
        return
    assert document.unaccounted == ()
    units = [*document.paragraphs, *(p for e in document.entries for p in e.paragraphs)]
    for unit in units:
        for reference in unit.references:
            assert unit.text[reference.start : reference.end] == reference.surface


def test_the_real_copy(shared: Path) -> None:
    document = parsed(seed(shared, "002"))
    assert {e.heading: len(e.paragraphs) for e in document.entries} == {
        "Postcombat": 1,
        "Power": 4,
        "Precombat": 1,
        "Prevention Effect": 3,
        "Priority": 5,
        "Protection": 0,
    }
    assert len(document.paragraphs) == 1
    assert document.furniture == (1,)
    assert document.unaccounted == ()
    texts = " ".join(
        p.text for p in [*document.paragraphs, *(p for e in document.entries for p in e.paragraphs)]
    )
    assert all(word in texts for word in ("assign", "passes", "“shields”"))
    assert not any(trace in texts for trace in (".s.", ".+", "”poly", " ”"))
    assert [p.code for p in document.problems if p.severity is not Severity.INFO] == []
