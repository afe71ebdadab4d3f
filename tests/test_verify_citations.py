"""What is a citation in anyone's text, and what only looks like one."""

from __future__ import annotations

from pathlib import Path

import pytest
import rulesgraph
from hypothesis import given
from hypothesis import strategies as st
from rulesgraph.queries.verifying.blocks import line_starts, place_of, text_blocks
from rulesgraph.queries.verifying.citations import SURE, Citation, citations
from rulesgraph.queries.verifying.naming import namings
from rulesgraph.queries.verifying.quotations import with_quotations
from rulesgraph.queries.verifying.topics import Stems, Topics, rule_words


def read(text: str) -> list[Citation]:
    return with_quotations([(passage, citations(passage)) for passage in text_blocks(text)])[0]


def numbers(text: str) -> list[str]:
    return [number for it in read(text) for number in it.numbers]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one\ntwo\n\nthree\n", ["one two ", "three "]),
        # Items of a list begin a new text, whatever their marks, and continue without one.
        ("- one\n- two\nand on\n", ["one ", "two and on "]),
        ("* one\n* two\n", ["one ", "two "]),
        ("1. one\n1. two\n", ["one ", "two "]),
        ("a) one\na) two\n", ["one ", "two "]),
        # A comment continues from line to line, until it is another.
        ("// one\n// two\n", ["one two "]),
        ("/* one\n * two\n * three\n", ["one ", "two three "]),
        ("// one\n# two\n", ["one ", "two "]),
        ("one\n// two\n", ["one ", "two "]),
    ],
)
def test_where_a_passage_begins(text: str, expected: list[str]) -> None:
    assert [it.text for it in text_blocks(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See CR 702.19c.", [("CR 702.19c", True)]),
        ("see (C.R. 704.5a)", [("C.R. 704.5a", True)]),
        ("§601.2", [("§601.2", True)]),
        ("Rules 601.2a–c hold", [("Rules 601.2a–c", True)]),
        ("**rule 702.2b**", [("rule 702.2b", True)]),
        ("[rule 702.19](https://example.org/702.20)", [("rule 702.19", True)]),
        ("rule\n702.19c", [("rule\n702.19c", True)]),  # a hard wrap
        ("# by rule\n# 702.19c", [("rule\n# 702.19c", True)]),  # in a comment
        ("rule 704.5(a)", [("rule 704.5(a)", True)]),
        ("rule 704.5.a,", [("rule 704.5.a", True)]),
        ("rule 704.5A", [("rule 704.5A", True)]),
        ("comp rules 704", [("comp rules 704", True)]),
        ("rule #704.5", [("rule #704.5", True)]),
        ("`702.19c`: trample", [("702.19c", False)]),
        ("<b>rule 704.5f</b>", [("rule 704.5f", True)]),
        ("rules 101.1, 102.3, and 104", [("rules 101.1", True), ("102.3", True), ("104", True)]),
        ("rule 704.5f/704.5g", [("rule 704.5f", True), ("704.5g", True)]),
        # Other texts have sections, too.
        ("See section 12 of the Comprehensive Rules", [("section 12", True)]),
        ("CR section 7, and section 702 of the rules.", [("section 7", True), ("section 702", True)]),
        ("the Comprehensive Rules, section 13", [("section 13", True)]),
        ("section 3 of the rules of Magic", [("section 3", True)]),
        ("Section 12 of the plan, and section 7. Section 4.2 of the rules", []),
        ("section 12 of the rules of our club", []),
        ("- 113.6 and 113.7a", [("113.6", False), ("113.7a", False)]),
        ("Trample is 702.19.", [("702.19", False)]),
        ("First Strike is in 702.7; hexproof", [("702.7", False)]),
        ("The total is 120.5. It was 100.2, and mass = 101.3", []),
    ],
)
def test_the_words_and_the_certainty_of_a_citation(text: str, expected: list[tuple[str, bool]]) -> None:
    found = [(text[slice(*it.span)], it.grade == SURE) for it in read(text)]
    assert found == expected


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ('Rule 201.2 says "turn it to the left".', ["turn it to the left"]),
        ("Rule 201.2: “turn it … left”", ["turn it … left"]),
        ('"Turn it to the left" (201.2)', ["Turn it to the left"]),
        ("rule 201.2 reads, 'a moth's lantern goes dark'.", ["a moth's lantern goes dark"]),
        ('rule 201.2, "Lanterns," says "one" and "two"', ["one", "two"]),
        ("> 201.2. To trim a lantern", ["To trim a lantern"]),
        ("As 201.2a puts it:\n\n> To trim a lantern\n> means this\n\nSo.", ["To trim a lantern means this"]),
        # With another verb before, in the same sentence or the one before.
        ('Rule 201.2 is about lanterns and says: "one"', ["one"]),
        ('Rule 201.2, which is about lanterns, says "one".', ["one"]),
        ('I looked at rule 201.2. The exact text is "one".', ["one"]),
        ('Rule 201.2 (Lanterns) of the Comprehensive Rules, which states: "one"', ["one"]),
        ('Rule 201.2 and the ruling on the card, and it says "one".', []),
        ('Rule 201.2 applies, and Tom says "one".', []),
        # As language models write it.
        ('**201.2** — "one", and **Rule 201.3:** “two”', ["one", "two"]),
        ('It goes dark (see rule 201.2: "one").', ["one"]),
        (
            'Under 201.2, "a lantern that a moth has found goes dark".',
            ["a lantern that a moth has found goes dark"],
        ),
        ('It is so. "One." (See rule 201.2.)', ["One."]),
        ('"Trim" means "one" (see rule 201.2).', []),  # what the rule says about another
        ("### 201.2a\n\n“one”\n", ["one"]),
        ("It is in rule 201.2 and reads:\n\n> One, see rule 310.\n", ["One, see rule 310."]),
        ("> One.\n> — rule 201.2\n", ["One."]),
        ("> One.\n\n— CR 201.2\n", ["One."]),
        ("> One.\n\nMore of this is in rule 201.2.\n", []),
        ('Rule 201.2 lets "Ember Moth" fly.', []),  # words of a card
        ('Under CR 201.2, moths: "one"\nCR 310.2, dusk: "two"', ["one", "two"]),
        ('CR 201.2, on lamps: "one". Rule 310.2 Dusk: "two"', ["one", "two"]),
        ('CR 201.2, card text: "one"', []),
        ('He said "hello". Much later, in rule 201.2, nothing is said.', []),
    ],
)
def test_the_words_quoted_beside_a_citation(text: str, quotes: list[str]) -> None:
    assert [quote for it in read(text) for quote in it.quotes] == quotes


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ('A lamp burns (rule 201.2). "One" (rule 310.2).', [[], ["One"]]),
        ('"One" (rule 201.2), "two" (rule 310.2).', [["One"], ["two"]]),
        ('Rule 201.2 says "one" (see rule 310.2).', [["one"], []]),
        ('CR 201.2: "one" — CR 310.2: "two"', [["one"], ["two"]]),
        ('A lamp burns (rule 201.2). "One" — CR 310.2', [[], ["One"]]),
        ('CR 201.2, lamps: "one"\nCR 310.2, dusk: "two"', [["one"], ["two"]]),
        ('A lamp burns (CR 201.2).\n\n> "One" (CR 310.2)', [[], ["One"]]),
        ("A lamp burns (CR 201.2).\n\n> One.\n> — CR 310.2", [[], ["One."]]),
        ("CR 201.2 reads:\n\n> One. (See rule 310.2)", [["One. (See rule 310.2)"], []]),
    ],
)
def test_words_belong_to_the_citation_that_they_stand_by(text: str, quotes: list[list[str]]) -> None:
    assert [[*it.quotes] for it in read(text)] == quotes


def test_titles_stand_behind_a_number() -> None:
    text = 'rule 704, "State Checks," 702.19a (Trample), and\n\n## 702.2b: Deathtouch'
    assert [it.title for it in read(text)] == ["State Checks", "", ""]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Moth (201.2), glow (201.3)", ["Moth", "glow"]),
        ("Under 201.2 (the moth), and 201.3 [glow]", ["moth", "glow"]),
        ("rule 201.2, moth, rule 201.3, glow", ["moth", "glow"]),
        ("moth, 201.2, glow, 201.3", ["moth", "glow"]),
        ("rule 201.2, moth, 201.3", ["moth", ""]),
        ("rule 201.4, moth, 201.3", ["", ""]),
        ("rule 201.2, moth (201.3)", ["", "moth"]),
        ("a moth and glow (201.2) that is moth", ["glow"]),
        ("Moth is rule 201.2. Glow: rule 201.3.", ["Moth", "Glow"]),
        ("rule 201.2 on moth; see 201.3 for glow", ["moth", "glow"]),
        ("rule 201.2, moth holes; lamp oil (201.3)", ["", ""]),
        ("201.2, moth, 201.3, glow, moth", ["moth", "glow"]),
        ("moth 201.2 (glow)", ["moth"]),
        ("moth, 201.4, glow", [""]),
        # A name is in the line, or between the commas, of its number.
        ("rule 201.2 moth, rule 201.3 glow", ["moth", "glow"]),
        ("moth rule 201.2; rule 201.3 glow", ["moth", "glow"]),
        ("rule 201.2: Moth\nrule 201.3: Glow", ["Moth", "Glow"]),
        ("moth CR 201.2\nCR 201.3 glow\nCR 201.4", ["moth", "glow", ""]),
        ("it is a moth\n(201.2), or glow\n(201.3)", ["moth", "glow"]),
        # A name in its own line goes where the rules have more of such names.
        ("rule 201.2\nMoth\nrule 201.3\nGlow", ["Moth", "Glow"]),
        ("Glow\nrule 201.2\nMoth\nrule 201.4\nGlow\nrule 201.3", ["Glow", "Moth", "Glow"]),
        ("lasts 100.3 moth", [""]),
        ("(rule 201.2) Moth\n(rule 201.3) Glow", ["Moth", "Glow"]),
    ],
)
def test_whose_name_it_is_that_stands_by_numbers(text: str, named: list[str]) -> None:
    [passage] = text_blocks(text)
    stemmer = Stems()
    topics = Topics(rule_words({"201.2": ("Moth", []), "201.3": ("Glow", [])}, stemmer), stemmer)
    found = namings(citations(passage, bare=True), topics)
    assert [it.name for it in found] == named


def test_lines_and_columns_count_from_one_after_any_line_end() -> None:
    lines = line_starts("a\r\nbc\rd\ne")
    assert [place_of(lines, offset) for offset in (0, 3, 4, 6, 8)] == [(1, 1), (2, 1), (2, 2), (3, 1), (4, 1)]


@given(st.text(alphabet=st.sampled_from("rule 702.19c§(\"“”')[]*_`>#/-|\n\r\x00\x1b$…CR"), max_size=200))
def test_any_text_is_read_and_citations_are_words_of_it(text: str) -> None:
    for it in read(text):
        start, end = it.span
        assert 0 <= start < end <= len(text)
        assert text[start:end].strip()


def test_the_citations_of_real_documents_are_found_in_their_texts(shared: Path) -> None:
    """The documents themselves are texts with correct citations, nearly all of which are found again."""
    import real
    from rulesgraph.loaders.records import TargetKind

    document = real.parsed(real.rules(shared, "2026-01-16"))
    wanted = found = strange = 0
    for rule in document.rules:
        cited = {
            target.key
            for reference in rule.references
            for target in reference.targets
            if target.kind is not TargetKind.TERM
        }
        read_here = set(numbers(rule.text))
        wanted += len(cited)
        found += len(cited & read_here)
        strange += len(read_here - cited)
    assert (wanted, found, strange) == (1311, 1304, 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sources: 704.5a, 702.999, 120.77", ["702.999", "120.77"]),
        ('{"rules":["704.5zz","104.99"]}', ["704.5zz", "104.99"]),
        ("R702.999", ["702.999"]),
        ("The price is 120.77, see rule 704.5a.", []),
        ("It costs R702.99.", []),
    ],
)
def test_numbers_in_a_list_with_citations_are_citations(
    newest_rules: rulesgraph.Rules, text: str, expected: list[str]
) -> None:
    assert [row["number"] for row in newest_rules.verify(text) if row["finding"] == "unknown"] == expected


def test_a_bare_chapter_behind_a_name_is_named(newest_rules: rulesgraph.Rules) -> None:
    for text in (
        "See the stack (406).",
        "the stack is 406.",
        "The stack is 406, and 700 people know it (2).",
    ):
        assert "1 number found but not checked (406:" in newest_rules.verify(text).notes[-1]


def test_what_is_not_checked_is_told(newest_rules: rulesgraph.Rules) -> None:
    text = 'See chapter 999. The rules say "whatever you do here, do it now and well".'
    found = newest_rules.verify(text)
    assert not found.rows
    assert "1 number found but not checked (chapter 999:" in found.notes[-1]
    assert "1 quotation of the rules without a number, not checked" in found.notes[-1]
    every, strict = newest_rules.verify(text, every=True), newest_rules.verify(text, strict=True)
    for rows, severity in ((every, "note"), (strict, "warning")):
        assert [(row["finding"], row["severity"]) for row in rows] == [("unread", severity)] * 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The stack is chapter 405.", ["stands"]),
        ("The stack (chapter 406)", ["topic"]),
        ("The Stack chapter (406) says so.", ["topic"]),
        ("See the Stack chapter (405).", ["stands"]),
        ("In chapter (203 pages) they say it.", []),
        ("Phasing is chapter 502.", ["topic"]),
        ("Phasing was chapter 502.", ["stands"]),  # until 2009
        ("It is told in chapter 405 of my manual.", ["unread"]),
        ("See chapter 999.", ["unread"]),
        ("Chapter 40 is long.", []),
    ],
)
def test_a_chapter_called_one_is_a_citation(
    newest_rules: rulesgraph.Rules, text: str, expected: list[str]
) -> None:
    assert [row["finding"] for row in newest_rules.verify(text, every=True)] == expected


def test_a_text_without_citations_is_told_to_be_unchecked(mini_rules: rulesgraph.Rules) -> None:
    for text in ("", "A lantern is lit at dusk."):
        assert "nothing was checked" in mini_rules.verify(text).notes[-1]
    for text in ("See rule 201.2.", "See rule 999.9 there."):
        assert "nothing was checked" not in mini_rules.verify(text).notes[-1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # A title without the comma of the rules; words behind it may mean anything.
        ('Rule 702.19 "Overrun".', [("702.19", "topic")]),
        ("(CR 702.19 “Flying”)", [("702.19", "topic")]),
        ('Rule 702.19 "Trample".', []),
        ('Rule 702.19 "Overrun" gives it to all.', []),
        ("State-based actions are rule 704.5 (formerly rule 420.5).", []),
        ("Until 2009 they were in rule 420.5; they're now state-based actions in rule 704.5.", []),
        ("In the Comprehensive Rules of February 2008, phasing was rule 502.15.", []),
        ("Rule 420.5 (2008) listed them.", []),
        ("In the Comprehensive Rules of February 2008, phasing was rule 502.16.", [("502.16", "topic")]),
        ("Phasing is rule 702.26 (formerly rule 502.16).", [("502.16", "topic")]),
        ("In 2015, phasing was rule 502.15.", [("502.15", "unknown")]),
        ("In 2008, phasing was rule 702.26.", [("702.26", "unknown")]),
        ("Since 2009, phasing is rule 702.26.", []),
        ("It lasts (rule 419.1) until end of turn.", [("419.1", "gone")]),
        ("Phasing was rule 502.15 in the rules of February 2008, and it is rule 702.26 now.", []),
        ("Mulligans were rule 101.4 in the rules of February 2008 and are in rule 103.5.", []),
        ("In the rules of February 2008 phasing was rule 502.15; rule 702.25 today.", [("702.25", "stale")]),
        ("Regeneration was rule 701.12a.", []),
        ("Trample was rule 502.15.", [("502.15", "topic")]),
        ("His answer was rule 502.15.", [("502.15", "gone")]),
        ("Trample is found in 702.18.", [("702.18", "stale")]),
        ("The legend rule is found in 704.5k.", [("704.5k", "topic")]),
    ],
)
def test_numbers_of_a_time_that_the_text_names_are_judged_by_that(
    newest_rules: rulesgraph.Rules, text: str, expected: list[tuple[str, str]]
) -> None:
    assert [(row["number"], row["finding"]) for row in newest_rules.verify(text)] == expected


@pytest.mark.parametrize(
    ("text", "was"),
    [
        ("Damage on the stack was rule 310.4a.", "310.4a of cr-2009-05-01 is gone"),
        ("The defense of a battle was rule 310.4a.", None),
        ("What stopped him was rule 310.4a.", None),
    ],
)
def test_what_a_number_was_is_told_by_the_words_of_an_older_edition(
    real_rules: rulesgraph.Rules, text: str, was: str | None
) -> None:
    [row] = real_rules.verify(text, every=True)
    assert (row["finding"], row["message"]) == ("stands", was)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "704.5k handles the legend rule.",
            "704.5k states the legend rule.",
            "704.5k applies the legend rule.",
        ),
        *("Per 704.5k, the legend rule applies.", "Legend rule is 704.5k."),
        *('{"rule": "704.5k", "title": "Legend rule"}', '{"title": "Legend Rule", "rule": "CR 704.5k"}'),
        '{"rule": "704.5k", "line": 5, "name": "legend rule"}',
    ],
)
def test_the_name_of_another_rule_is_told_whatever_verb_or_key_gives_it(
    newest_rules: rulesgraph.Rules, text: str
) -> None:
    [row] = newest_rules.verify(text).records()
    assert (row["number"], row["severity"], row["now"]) == ("704.5k", "warning", "704.5j")
    assert row["finding"] in {"topic", "stale"}
    assert newest_rules.verify(text.replace("704.5k", "704.5j")).rows == ()


@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [
        ("The Fish that this gift makes is a 1/1 (rule {}).", "702.174g", "702.174f"),
        ("Rule {} says that locking takes the unlocked designation off one half.", "709.5a", "709.5e"),
    ],
)
def test_a_sibling_with_all_the_rare_words_is_named(
    newest_rules: rulesgraph.Rules, text: str, wrong: str, right: str
) -> None:
    [row] = newest_rules.verify(text.format(wrong)).records()
    assert (row["finding"], row["severity"]) == ("topic", "warning")
    assert row["now"] == right
    assert newest_rules.verify(text.format(right)).rows == ()
