"""The comprehensive rules of any edition: parts, numbers and their slips, wrapped lines."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from copies import GOOD
from hypothesis import given
from hypothesis import strategies as st
from real import parsed
from real import rules as rules_of
from rulesgraph.loaders.language.names import is_title
from rulesgraph.loaders.language.numbers import LETTERS, next_letters, order, parent, successors
from rulesgraph.loaders.language.words import wording
from rulesgraph.loaders.reading.comprehensive import parse as comprehensive
from rulesgraph.loaders.reading.comprehensive.parts import find_dates, read_contents
from rulesgraph.loaders.reading.lines import clean_lines, read_head
from rulesgraph.loaders.reading.source import decode
from rulesgraph.loaders.records import Document, Rule
from rulesgraph.ontology.terms import DocumentKind
from sweep import first

FRONT = "Test Rules\n\nThese rules are effective as of March 4, 2032.\n\n1. The Voyage\n\n100. General\n\n"
BACK = "\n\nGlossary\n\nShip\nIt sails.\n\nCredits\n\nNobody.\n"


def parse(text: str) -> Document:
    document = comprehensive.parse(decode(text.encode(), "x"))
    assert document.unaccounted == ()
    return document


def rules(body: str) -> dict[str, Rule]:
    """Return the rules of a text with this body, by number; a second one as ``number~2``."""
    found = parse(FRONT + body + BACK).rules
    return {r.number + (f"~{r.occurrence}" if r.occurrence > 1 else ""): r for r in found}


def codes(body: str) -> list[str]:
    return [problem.code for problem in parse(FRONT + body + BACK).problems]


# The editions: exactly the counts of a separate line counter

COUNTS = {
    "2003-07-01": (68, 310, 337, 290, 94),
    "2006-07-15": (83, 414, 532, 351, 161),
    "2008-02-01": (85, 471, 661, 388, 170),  # the counter takes Floor Rules as part of Flip Cards
    "2009-05-01": (85, 491, 698, 403, 174),
    "2009-07-11": (104, 648, 824, 408, 189),
    "2013-05-01": (124, 841, 1089, 476, 223),
    "2016-11-11": (129, 907, 1263, 526, 241),
    "2020-04-17": (133, 976, 1458, 571, 250),
    "2025-04-04": (145, 1136, 1911, 708, 275),
    "2025-06-06": (145, 1141, 1918, 711, 275),
    "2026-01-16": (146, 1157, 1957, 725, 276),
    "1999-11-01": (63, 201, 155, 188, 40),  # the counter says about 190 entries
}
PROBLEMS = {
    "1999-11-01": {
        "missing-space": ["305.3"],
        "extra-dot": ["309.2a"],
        "lost-digit": ["408.2f", "408.2g"],
        "missing-dot": ["409.3", "410.11"],
        "unfinished-sentence": ["Skip", "Target"],
        "cut-beginning": ["Target"],
    },
    "2009-07-11": {
        "contents-mismatch": ["1"],
        "missing-number": ["113.8"],
        "extra-dot": ["120.1c", "800.4a", "800.4b", "806.4b", "806.6b"],
        "missing-dot": ["400.2", "809.6"],
        "extra-space": ["702.37a", "702.37b"],
        "unfinished-sentence": ['Intervening "If" Clause'],
        "out-of-order": [
            "Characteristic-Defining Ability",
            "Continuous Artifact (Obsolete)",
            "Free-for-All",
            "Range of Influence",
        ],
    },
    "2026-01-16": {
        "extra-dot": ["119.1d"],
        "missing-dot": ["606.5"],
        "unfinished-sentence": ["702.112c", "716.2c", "Encore", "Trample Over Planeswalkers"],
        "out-of-order": [
            "Alternate Name",
            "Characteristic-Defining Ability",
            "Colorless",
            "Continuous Artifact (Obsolete)",
            "Excess Damage",
            "Exhaust",
            "Frenzy",
            "Junk Token",
            "Respond",
        ],
    },
}


ALL = pytest.mark.long(small="test_every_edition_has_exactly_its_counts")


@pytest.fixture(
    scope="module",
    params=[("2008-02-01", "2026-01-16"), pytest.param(tuple(COUNTS), marks=ALL)],
    ids=["two editions", "all editions"],
)
def editions(shared: Path, request: pytest.FixtureRequest) -> dict[str, Document]:
    return {day: parsed(rules_of(shared, day)) for day in request.param}


def test_all_editions_are_counted(shared: Path) -> None:
    assert {path.stem for path in (shared / "corpora" / "cr").iterdir()} == set(COUNTS)


def test_every_edition_has_exactly_its_counts(editions: dict[str, Document]) -> None:
    for edition, document in editions.items():
        levels = [rule.level for rule in document.rules]
        examples = sum(len(rule.examples) for rule in document.rules)
        examples += sum(len(p.examples) for entry in document.entries for p in entry.paragraphs)
        counts = (*map(levels.count, ("chapter", "rule", "subrule")), len(document.entries), examples)
        assert counts == COUNTS[edition], edition


def test_every_edition_knows_its_date(editions: dict[str, Document]) -> None:
    for edition, document in editions.items():
        assert document.issued == date.fromisoformat(edition)
        assert document.document == document.edition == f"cr-{edition}"
        assert document.kind is DocumentKind.COMPREHENSIVE


def test_no_line_of_an_edition_vanishes(editions: dict[str, Document]) -> None:
    for edition, document in editions.items():
        assert document.unaccounted == ()
        spans = [(section.first_line, section.last_line) for section in document.sections]
        spans += [(entry.first_line, entry.last_line) for entry in document.entries]
        spans += [(rule.first_line, rule.last_line) for rule in document.rules]
        spans += [
            (example.first_line, example.last_line) for rule in document.rules for example in rule.examples
        ]
        lines = set(document.furniture).union(*(range(a, b + 1) for a, b in spans))
        assert len(lines) >= document.lines > 1000, edition


def test_every_rule_has_its_parent(editions: dict[str, Document]) -> None:
    for edition, document in editions.items():
        known = {rule.number for rule in document.rules} | {section.number for section in document.sections}
        assert [rule.number for rule in document.rules if rule.parent not in known] == [], edition


@pytest.mark.parametrize(
    "edition",
    first(1, reversed(PROBLEMS), pytest.mark.long(small="test_the_problems_of_an_edition_are_few_and_true")),
)
def test_the_problems_of_an_edition_are_few_and_true(shared: Path, edition: str) -> None:
    """Each was looked up in the source by hand."""
    found: dict[str, list[str]] = {}
    for problem in parsed(rules_of(shared, edition)).problems:
        found.setdefault(problem.code, []).append(problem.subject)
    assert found == PROBLEMS[edition]


@pytest.mark.long(small="test_the_problems_of_an_edition_are_few_and_true")
def test_oddities_of_the_editions(shared: Path) -> None:
    editions = {day: parsed(rules_of(shared, day)) for day in COUNTS}
    by_number = {
        edition: {rule.number: rule for rule in document.rules} for edition, document in editions.items()
    }
    assert by_number["2008-02-01"]["502.15"].title == "Phasing"
    assert by_number["2003-07-01"]["502.11"].title == "Bands with Other"
    assert by_number["2025-06-06"]["702.163"].title == "For Mirrodin!"
    assert by_number["2008-02-01"]["420"].title == "State-Based Effects"
    assert by_number["2006-07-15"]["215"].title is None  # a sentence is in its place
    assert by_number["2006-07-15"]["606.8b"].printed == "606. 8b"
    assert by_number["1999-11-01"]["408.2f"].printed == "408.f"
    assert by_number["2020-04-17"]["205.3i"].text.count("\n") == 1  # it continues in a second paragraph
    headings = [entry.heading for entry in editions["1999-11-01"].entries]
    assert "Reprints" not in headings  # of the table of expansion symbols
    counter = next(entry for entry in editions["1999-11-01"].entries if entry.heading == "Counter")
    assert [paragraph.number for paragraph in counter.paragraphs] == ["1", "2"]
    life = next(entry for entry in editions["2008-02-01"].entries if entry.key == "life")
    assert life.names == ("Life", "Life Total")


# Numbers

HEADS = [
    ("100. General", "100", "chapter", "General", ()),
    ("100.1. One ship.", "100.1", "rule", "One ship.", ()),
    ("100.1a One ship.", "100.1a", "subrule", "One ship.", ()),
    ("704.5aa Two letters.", "704.5aa", "subrule", "Two letters.", ()),
    ("606.5 If it sails", "606.5", "rule", "If it sails", ("missing-dot",)),
    ("119.1d. In a harbour", "119.1d", "subrule", "In a harbour", ("extra-dot",)),
    ("901.4.All sail", "901.4", "rule", "All sail", ("missing-space",)),
    ("606.5aIf it sails", "606.5a", "subrule", "If it sails", ("missing-space",)),
    ("606. 8b The tide", "606.8b", "subrule", "The tide", ("extra-space",)),
    ("606.8 b The tide", "606.8b", "subrule", "The tide", ("extra-space",)),
    ("600.1.a The tide", "600.1a", "subrule", "The tide", ("extra-dot",)),
    ("606.5 a ship sails", "606.5", "rule", "a ship sails", ("missing-dot",)),  # an article, no letter
    ("408.2an effect", "408.2", "rule", "an effect", ("missing-dot", "missing-space")),
    ("205 Type Line", "205", "chapter", "Type Line", ("missing-dot",)),
    ("205.Type Line", "205", "chapter", "Type Line", ("missing-space",)),
    ("103.4.", "103.4", "rule", "", ()),
    ("103.", "103", "chapter", "", ()),  # its title is on the next line
]


@pytest.mark.parametrize(("text", "number", "level", "rest", "slips"), HEADS)
def test_numbers_and_their_slips(
    text: str, number: str, level: str, rest: str, slips: tuple[str, ...]
) -> None:
    head = read_head(text)
    assert head is not None
    assert (head.number, head.level, head.rest, head.slips) == (number, level, rest, slips)


NO_HEADS = [
    "103.4, and so on",
    "103.4)",
    "103.4.) Then",
    "603.7d–f say so",
    "1005.1 is no rule",
    "101 of them",
    "1. One",
]


@pytest.mark.parametrize("text", NO_HEADS)
def test_numbers_within_sentences(text: str) -> None:
    assert read_head(text) is None


def test_letters_skip_two_and_go_on_with_two() -> None:
    assert next_letters("k") == ("m",)
    assert next_letters("n") == ("p",)
    assert next_letters("z") == ("aa",)
    assert next_letters("aa") == ("ab", "bb")
    assert next_letters("l") == ("m",)


@given(st.sampled_from(LETTERS), st.integers(100, 999), st.integers(1, 199))
def test_a_number_stands_between_its_parent_and_its_successors(letter: str, chapter: int, rule: int) -> None:
    number = f"{chapter}.{rule}{letter}"
    assert parent(number) == f"{chapter}.{rule}"
    assert parent(parent(number)) == str(chapter)
    assert order(parent(number)) < order(number)
    assert all(order(following) > order(number) for following in successors(number)[:2])


def test_a_lost_figure_comes_from_the_rule_before() -> None:
    found = rules("100.1. One.\n\n100.1a Two.\n\n100.b Three.\n\n100.1c Four.")
    assert found["100.1b"].text == "Three."
    assert found["100.1b"].printed == "100.b"


def test_a_number_twice_is_kept_twice() -> None:
    found = rules("100.1. One.\n\n100.2. Two.\n\n100.2. Other.\n\n100.3. Three.")
    assert found["100.2"].text == "Two."
    assert found["100.2~2"].text == "Other."


def test_a_habit_is_no_slip() -> None:
    """Where all subrules have a dot, none has one too many."""
    body = "100.1. One.\n\n" + "\n\n".join(f"100.1{letter}. Part." for letter in "abcdefgh")
    assert codes(body) == []
    assert codes(body.replace("b. Part", "b Part")) == []


def test_a_run_of_missing_numbers_is_named_once() -> None:
    document = parse(FRONT + "100.1. One.\n\n100.4. Four.\n\n100.4b B.\n\n100.4d D." + BACK)
    assert [(p.code, p.subject) for p in document.problems] == [
        ("missing-number", "100.2"),
        ("missing-subletter", "100.4a"),
        ("missing-subletter", "100.4c"),
    ]


def test_l_and_o_are_not_missed() -> None:
    body = "100.1. One.\n\n" + "\n\n".join(f"100.1{letter} Part." for letter in LETTERS)
    assert codes(f"{body}\n\n100.1aa Part.\n\n100.1bb Part.") == []


def test_titles() -> None:
    assert is_title("Actions That Don’t Use the Stack") is True
    assert is_title("For Mirrodin!") is True
    assert is_title("∞ (Infinity)") is True
    assert is_title("Each captain has one ship") is False
    assert is_title("There are three tides:") is False
    found = rules("100.1. Caulking\n\n100.1a It mends.\n\n100.2. It holds.")
    assert found["100.1"].title == found["100.1"].text == "Caulking"
    assert found["100.2"].title is None
    assert found["100"].title == "General"


# Paragraphs

WRAPPED = """\
100.1. A captain who has no ship, or whose ship lies in a harbour without a pier (see rule
103.4.), waits. Everything that rules 100.2 and
100.3. say about piers is said of harbours, too; see also rule
101.1. The tide does the
rest.

100.2. A ship of a captain who waits may not sail before the tide turns, and the tide turns
in step 3 of every turn.

     A paragraph that is indented belongs to the rule before it and is a paragraph of its
own.
Example: Zoë waits at the pier. The tide turns twice, and the ship that she has been waiting
for sails.

100.3. The last rule stands here and goes over a line as well, since all the others do so and
since it may.
"""


def test_a_number_in_a_wrapped_sentence_is_no_rule() -> None:
    found = rules(WRAPPED)
    assert [number for number in found if "." in number] == ["100.1", "100.2", "100.3"]
    assert found["100.1"].text.endswith("see also rule 101.1. The tide does the rest.")
    assert "(see rule 103.4.), waits." in found["100.1"].text
    assert found["100.2"].text.count("\n") == 1
    assert found["100.2"].text.endswith("is a paragraph of its own.")
    (example,) = found["100.2"].examples
    assert example.text.endswith("for sails.")
    assert (example.first_line, example.last_line) == (20, 21)


QUOTING = """100.1. A captain who hears the call of a pilot and knows the waters of the harbour well may
answer it before the tide turns, whatever the weather is like on the day of the sailing.
Example: The pilot of a ship calls, "All hands below"
which the captain answers. The ship sails, and nobody who is asleep in it wakes up until the
tide has turned.

100.2. A ship whose captain does not answer stays, as long as the harbour is open and the pilots
are awake (see "Pilots.")
Its pilot may call again.
"""


def test_between_blank_lines_a_paragraph_goes_on_behind_a_quotation_on_a_short_line() -> None:
    found = rules(QUOTING + "\n" + WRAPPED.replace("100.", "101."))
    (example,) = found["100.1"].examples
    assert example.text.endswith("tide has turned.")
    assert found["100.1"].text.endswith("day of the sailing.")
    assert found["100.2"].text.endswith('(see "Pilots.") Its pilot may call again.')


def test_wrapped_editions_lose_no_end_of_an_example(shared: Path) -> None:
    """Rules with the words of a neighbour that is not wrapped have the same paragraphs and examples."""
    wrapped = parsed(shared / "corpora" / "more" / "2003-10-01.txt")
    neighbours = {rule.number: rule for rule in parsed(rules_of(shared, "2003-07-01")).rules}
    same = 0
    for rule in wrapped.rules:
        other = neighbours.get(rule.number)
        if other and squeezed(rule) == squeezed(other):
            same += 1
            assert rule.text.count("\n") == other.text.count("\n"), rule.number
            assert list(map(len, (e.text for e in rule.examples))) == pytest.approx(
                [len(e.text) for e in other.examples], abs=1
            ), rule.number
    assert same > 400
    early = parsed(shared / "corpora" / "more" / "2001-07-23.txt")
    found = [p.subject for d in (wrapped, early) for p in d.problems if p.code == "unfinished-sentence"]
    assert found == ["212.4j", "Change a Target", "Total Cost", "Skip"]


def squeezed(rule: Rule) -> str:
    texts = [rule.text, *(example.text for example in rule.examples)]
    return "".join(wording("".join(texts)).split())


def test_a_single_broken_line_is_joined() -> None:
    found = rules("100.1. A tide and the\nharbour. See rule\n\n103.4. It is so.\n\n100.2. Two.")
    assert found["100.1"].text == "A tide and the harbour. See rule 103.4. It is so."


GLUED = [
    ("100.1. Turns of Ships 100.1a A ship turns. 100.1b It goes on.", ["100.1", "100.1a", "100.1b"]),
    ("100.1. A ship turns (see rule 100.2.) 100.2. It goes on.", ["100.1", "100.2"]),
    ("100.1. A ship turns.100.2. It goes on.", ["100.1", "100.2"]),
    ("100.1. A ship turns. 101. Tides 101.1. A tide turns.", ["100.1", "101", "101.1"]),
    ("100.1. A ship turns. 101. Tides\n\n101.1. A tide turns.", ["100.1", "101", "101.1"]),
    ("100.1. A ship turns as rule 100.2. It goes on.", ["100.1"]),  # cited by a sentence
    ("100.1. A ship turns. 100.4. It goes on.", ["100.1"]),  # not the next one
    ("100.1. A ship turns. 101. Tides are wet.", ["100.1"]),  # a chapter without rules
]


@pytest.mark.parametrize(("body", "numbers"), GLUED)
def test_a_number_that_lost_its_line_is_a_rule(body: str, numbers: list[str]) -> None:
    document = parse(FRONT + body + BACK)
    assert [it.number for it in document.rules[1:]] == numbers
    glued = [it.subject for it in document.problems if it.code == "glued-number"]
    assert glued == [it for it in numbers[1:] if f"\n{it}. " not in body]


def test_a_page_of_a_reading_site_keeps_the_subrule_behind_a_title(shared: Path) -> None:
    page = parsed(shared / "corpora" / "rulings" / "p24_grapenovel_part13.txt")
    assert [it.number for it in page.rules][-2:] == ["606.6", "606.6a"]
    assert page.rules[-2].title == "Timing of Team Turns"


def test_further_paragraphs_and_examples() -> None:
    found = rules("100.1. One:\n     Two.\n EXAMPLE: Three.\nexample: Four.\n\nFive.\n\n100.2. Six.")
    assert found["100.1"].text == "One:\nTwo.\nFive."
    assert [example.text for example in found["100.1"].examples] == ["Three.", "Four."]
    assert (found["100.1"].first_line, found["100.1"].last_line) == (9, 14)


def test_a_text_is_markdown_by_three_signs() -> None:
    marked = ["## 1. Piers", "**100. Boats**", "*** is a power"]
    assert [line.text for line in clean_lines(marked)[0]] == marked
    assert [line.text for line in clean_lines([*marked, "### 2. Oars"])[0]] == [
        "1. Piers",
        "100. Boats",
        "*** is a power",
        "2. Oars",
    ]


def test_markup_goes_and_the_words_stay() -> None:
    found = rules("100.1. The _Magic_(R) game, _Sixth Edition_, and ____ Harbour.\n\n100.2. {oT}: Add *.")
    assert found["100.1"].text == "The Magic(R) game, Sixth Edition, and ____ Harbour."
    assert found["100.2"].text == "{oT}: Add *."  # a star is a number here
    lines, drawn = clean_lines(
        ["### 100. General", "**100.1a.** Power is \\*/\\*.", "> **Example:** *Ship*.", "---"]
    )
    assert [line.text for line in lines] == ["100. General", "100.1a. Power is */*.", "Example: Ship."]
    assert drawn == [4]


# Dates, contents, parts

DATES = [
    ("These rules are effective as of February 1, 2008.", date(2008, 2, 1)),
    ("These rules are current as of\nJuly 1, 2003.", date(2003, 7, 1)),  # over two lines
    ("**These rules are effective as of August 7, 2026.**", date(2026, 8, 7)),
    ("Effective Sept. 24th, 2001", date(2001, 9, 24)),
    ("Rules updated on 15 July 2006", date(2006, 7, 15)),
    ("Version of 2011-02-30, released 2011-02-04.", None),  # no such day
    ("Rules, released 2011-02-04.", date(2011, 2, 4)),
    ("The game was made in 1993.", None),
]


@pytest.mark.parametrize(("text", "day"), DATES)
def test_dates(text: str, day: date | None) -> None:
    found = find_dates(clean_lines(text.replace("**", "").splitlines())[0])
    assert [found_day for found_day, _ in found] == ([day] if day else [])


def test_a_text_without_a_date_is_a_fragment() -> None:
    body = "100. General\n\n100.1. One.\n\n100.2. Two.\n"
    one, two, other = (
        parse(text) for text in (body, body.replace("\n", "\r\n"), body.replace("Two", "Three"))
    )
    assert one.edition.startswith("fragment-")
    assert len(one.edition) == len("fragment-") + 8
    assert one.edition == two.edition != other.edition
    assert [problem.code for problem in one.problems] == ["missing-date"]


def test_contents_with_dots_and_pages() -> None:
    text = "Contents\n1. The Voyage........2\n   100. General .  .  .  .  . 3\n101. Ships\t…………4\n"
    text += "Glossary.......46\nCredits....60"
    contents = read_contents(clean_lines(text.splitlines())[0])
    assert {number: title for number, (title, _) in contents.titles.items()} == {
        "1": "The Voyage",
        "100": "General",
        "101": "Ships",
    }
    assert contents.glossary
    assert contents.back == ("Credits",)


def test_a_rule_named_in_the_introduction_does_not_begin_the_rules() -> None:
    text = GOOD.replace("any number of captains.", "any number\n100.1. of captains.")
    assert parse(text).rules[0].first_line > 20


def test_title_and_furniture() -> None:
    document = parse(GOOD)
    assert document.title == "Harbours Comprehensive Rules"
    lines = GOOD.splitlines()
    furniture = [lines[number - 1] for number in document.furniture]
    assert furniture[-2:] == ["Credits", "Harbours was made for these tests."]
    assert furniture.count("Glossary") == 2  # of the contents and its own
    assert document.lines == sum(1 for line in lines if line.strip())
