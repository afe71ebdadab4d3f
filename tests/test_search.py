"""Searching: what you may type, what is found in invented rules and why, and how bad input ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import rulesgraph
from commands import MINI, Run
from hypothesis import given
from hypothesis import strategies as st
from rulesgraph import Rules
from rulesgraph.loaders.indexing.stemmer import stems
from rulesgraph.ontology.errors import UnknownNameError, UsageError
from rulesgraph.queries.searching.grammar import KINDS, Search, Wanted, cleaned, marks, read_search
from rulesgraph.queries.searching.search import search
from rulesgraph.queries.session import Session
from searches import typed

NEWEST = "cr-2031-07-01"


def told(rules: Rules, words: str, **options: object) -> list[tuple[object, ...]]:
    """Return number, line and reason of what is found."""
    found = rules.search(words, **options)  # type: ignore[arg-type]
    return [(row["number"], row["line"], row["reason"]) for row in found]


# -- what may be typed ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("Moth", Search((Wanted(("moth",)),))),
        ("“goes dark” lamp*", Search((Wanted(("goes", "dark")), Wanted(("lamp",), prefix=True)))),
        ('"goes dark', Search((Wanted(("goes", "dark")),))),
        ("dusk-check 310.2b", Search((Wanted(("dusk", "check")), Wanted(("310", "2b"))))),
        ("moth MOTH", Search((Wanted(("moth",)),))),
        ("in:310 IN:rule", None),
        ('in:"rule 310.2B" kind:rules,Entries', Search(within=("310.2b",), kinds=("rule", "entry"))),
        ("kind:rule|example", Search(kinds=("rule", "example"))),
        ("cites:g16.2 edition:a,b edition:c", Search(cites=("G16.2",), edition="a,b,c")),
        # What only looks like a condition, or like the language of SQLite's search, is words.
        ("about:moth", Search((Wanted(("about", "moth")),))),
        ("NEAR(moth lamp) AND NOT -lit ^oil {text}: a+b", None),
        ("?! ... “”", Search()),
        ("", Search()),
    ],
)
def test_what_is_typed_is_read(typed: str, read: Search | None) -> None:
    if typed.startswith("in:310 "):
        with pytest.raises(UsageError, match="'rule' is not a rule number"):
            read_search(typed)
    elif read is None:
        words = [it.words for it in read_search(typed).wanted]
        assert words == [
            ("near", "moth"),
            ("lamp",),
            ("and",),
            ("not",),
            ("lit",),
            ("oil",),
            ("text",),
            ("a", "b"),
        ]
    else:
        assert read_search(typed) == read


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("in:", "in: names nothing"),
        ("cites:,", "cites: names nothing"),
        ("in:moth", "'moth' is not a rule number"),
        ("kind:moth", "'moth' is not a kind of passage\n  Choose from: section, chapter, rule, "),
        ("", "there is nothing to search for"),
        ("?!", "there is nothing to search for"),
        ("edition:all", "there is nothing to search for"),
    ],
)
def test_a_condition_that_is_wrong_is_refused(mini_rules: Rules, typed: str, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        mini_rules.search(typed)
    assert str(refused.value).startswith(said)


def test_an_edition_or_a_number_that_is_not_there_is_refused(mini_rules: Rules) -> None:
    with pytest.raises(UnknownNameError, match="no loaded edition is called 'cr-2031-07-02'"):
        mini_rules.search("moth edition:cr-2031-07-02")
    with pytest.raises(UnknownNameError, match="no term or number is called '999'"):
        mini_rules.search("in:999")


WORD = st.from_regex(r"[a-z]{1,8}", fullmatch=True)


@given(
    st.lists(WORD.filter(lambda it: it not in KINDS), min_size=1, max_size=5, unique=True),
    st.lists(st.sampled_from(sorted(KINDS)), max_size=3),
    st.booleans(),
)
def test_what_a_search_is_written_as_is_read_again(words: list[str], kinds: list[str], phrase: bool) -> None:
    written = f'"{" ".join(words)}"' if phrase else " ".join(words)
    read = read_search(" ".join((written, *(f"kind:{kind}" for kind in kinds))))
    wanted = (Wanted(tuple(words)),) if phrase else tuple(Wanted((word,)) for word in words)
    assert read == Search(wanted, kinds=tuple(kinds))


@given(st.text())
def test_any_text_without_a_condition_is_a_search(text: str) -> None:
    read = read_search(text.replace(":", " "))
    assert all(word.isalnum() for it in read.wanted for word in it.words)
    assert cleaned(text).isprintable() or not text.isprintable()


@given(text=st.text(max_size=60))
def test_any_words_can_be_searched_for(mini_rules: Rules, text: str) -> None:
    words = text.replace(":", " ")
    if read_search(words).wanted:
        found = mini_rules.search(words)
        assert len(found.marks) == len(found.rows)


# -- what is found --------------------------------------------------------------------------------


def test_all_words_count_in_any_form_and_the_best_comes_first(mini_rules: Rules) -> None:
    found = mini_rules.search("lit lanterns", limit=3)
    why = "mentions Lantern; contains “lit” and “lanterns”"
    assert [(row["number"], row["document"], row["line"], row["reason"]) for row in found] == [
        ("201.1", NEWEST, 53, why),
        ("310.2c", NEWEST, 75, why),
        ("100.2", NEWEST, 36, why),
    ]
    assert found.records()[0]["iri"] == f"https://w3id.org/rulesgraph/edition/{NEWEST}/rule/201.1"
    assert found.records()[0]["text"] == "A lantern is lit or dark. Only a lit lantern draws moths."
    assert found.marks[0] == ((2, 9), (13, 16), (33, 36), (37, 44))
    assert (found.edition, found.notes) == (NEWEST, ("Recognised: Lantern.", "Looked for: lit, lanterns."))


@pytest.mark.parametrize(
    ("words", "rows"),
    [
        ('"goes dark" in:310', [("310.2a", 71, "“goes dark” in its text")]),
        ('"go dark" in:310', [("310.2a", 71, "“go dark” in its text")]),
        (
            "mot* kind:rule cites:310",
            [
                ("202.1", 61, "“mot*” in its heading; cites 310.2"),
                ("320.4a", 93, "“mot*” in its text; cites 310.2b"),
            ],
        ),
        ("in:320.3", [("320.3", 87, "meets the conditions"), ("320.3a", 89, "meets the conditions")]),
        ("kind:section in:2", [("2", 45, "meets the conditions")]),
        ("kind:example", [("101.1", 41, "meets the conditions")]),
        (
            "swarm edition:rulings-2031-03-10",
            [("G7.5a", 26, "“swarm” in its heading"), ("G7.5a", 25, "“swarm” in its heading")],
        ),
        ("202.1", [("202.1", 61, "named in the question: 202.1")]),
        ("kind:heading keyword", [("320", 77, "“keyword” in its heading")]),
    ],
)
def test_conditions_leave_what_meets_them(
    mini_rules: Rules, words: str, rows: list[tuple[object, ...]]
) -> None:
    assert told(mini_rules, words) == rows


def test_a_word_that_nothing_has_is_read_as_the_nearest(mini_rules: Rules) -> None:
    found = mini_rules.search("fluter")
    assert found.notes == ("Recognised: Flutter (“fluter”, misspelled).", "Looked for: flutter.")
    assert found.records()[0]["number"] == "320.4a"
    assert {None, "320.4"} < {row["number"] for row in found}
    quoted = mini_rules.search('"fluter"')
    assert quoted.notes == ("No passage has “fluter”; searched for “flutter”.",)
    assert [row["number"] for row in quoted] == [None, "320.4", "320.4a"]


def test_where_nothing_has_all_of_the_words_some_will_do(mini_rules: Rules) -> None:
    found = mini_rules.search('"bag" "glimmer"')
    assert found.notes[0] == "No passage has all of these words; these have some of them."
    assert [(row["number"], row["reason"]) for row in found][:3] == [
        (None, "“bag” in its heading"),
        (None, "“glimmer” in its heading"),
        ("320.2b", "“glimmer” in its heading"),
    ]


def test_a_reason_names_words_without_the_marks_of_a_sentence() -> None:
    wanted = read_search("(Moth), first-lit lamp? 310.2. mot*!").wanted
    assert [str(it) for it in wanted] == ["“Moth”", "“first-lit”", "“lamp”", "“310.2”", "“mot*”"]
    assert [it.prefix for it in wanted] == [False, False, False, False, True]


def test_nothing_found_is_said(mini_rules: Rules) -> None:
    found = mini_rules.search("volcano")
    assert (found.rows, found.marks, found.answered) == ((), (), False)
    assert found.notes == (f"Nothing in {NEWEST}; edition:all searches every edition.",)


def test_a_number_is_looked_for_in_the_newest_edition_that_has_it(mini_rules: Rules) -> None:
    assert told(mini_rules, "in:300.2a") == [("300.2a", 73, "meets the conditions")]
    assert mini_rules.search("in:300.2a").edition == "rulings-2031-03-10, cr-2031-02-01"


def test_what_several_editions_say_in_the_same_words_is_told_of_the_newest(mini_rules: Rules) -> None:
    found = mini_rules.search("edition:all drift")
    assert [(row["number"], row["edition"]) for row in found] == [
        (None, NEWEST),
        ("320.3a", NEWEST),
        ("320.3", NEWEST),
    ]


def test_a_search_is_the_same_alone_and_beside_other_editions(
    mini_rules: Rules, store_of: Callable[..., Path]
) -> None:
    alone = rulesgraph.open(store_of(*MINI.glob("lanterns-2031-07-01.txt")))
    assert alone.search("lit moths").rows == mini_rules.search("lit moths").rows


# -- marks ----------------------------------------------------------------------------------------


@given(st.lists(WORD, min_size=1, max_size=12), st.data())
def test_marks_slice_back_to_the_words(words: list[str], data: st.DataObject) -> None:
    wanted = data.draw(st.sampled_from(words))
    text = "  ".join(words)
    [spans] = marks([text], [Wanted((wanted,))])
    assert wanted in [text[start:end] for start, end in spans]


# -- the command ----------------------------------------------------------------------------------


def test_people_see_blocks(run: Run, mini_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    code, out, err = run("search", "goes dark", "kind:subrule", "--limit", "1", "--store", mini_store)
    assert code == 0
    assert out == (
        "310.2a · cr-2031-07-01:71 · “goes”, “dark” in its text\n    A lantern with no oil goes dark.\n"
    )
    assert err == "2 more rows: a larger --limit shows more\n3 rows, from cr-2031-07-01\n"


def test_programs_see_columns(run: Run, mini_store: Path) -> None:
    code, out, _ = run("search", "in:320.3a", "--format", "json", "--store", mini_store)
    [row] = json.loads(out)
    assert code == 0
    assert row == {
        "number": "320.3a",
        "text": 'Drift is a static ability. "Drift" means "This moth may sit on no lantern at all."',
        "edition": NEWEST,
        "document": NEWEST,
        "line": 89,
        "score": None,
        "reason": "meets the conditions",
        "iri": f"https://w3id.org/rulesgraph/edition/{NEWEST}/rule/320.3a",
    }


def test_nothing_found_ends_with_one(run: Run, mini_store: Path) -> None:
    code, out, err = run("search", "volcano", "--store", mini_store)
    assert (code, out) == (1, "")
    assert err == f"Nothing in {NEWEST}; edition:all searches every edition.\nnothing found, from {NEWEST}\n"


@pytest.mark.parametrize(
    "words",
    [
        "\x00\x1b[31mmoth",
        "\udcff moth",
        "蛾 ночная",
        "' OR 1=1 --",
        "{a} NEAR/3 ^b",
        '""""',
        "moth " * 200_000,
    ],
)
def test_bad_input_ends_well(run: Run, mini_store: Path, words: str) -> None:
    code, _, err = run("search", words, "--store", mini_store)
    assert code in {0, 1, 2}
    assert "Traceback" not in err
    assert "unexpectedly" not in err


def test_a_search_for_no_rows_is_refused(mini_rules: rulesgraph.Rules) -> None:
    with pytest.raises(UsageError, match="the limit is -1"):
        mini_rules.search("moth", limit=-1)


@pytest.mark.parametrize("limit", ["0", "-1", "x", "1000000000000"])
@pytest.mark.parametrize("command", ["search", "ask"])
def test_a_limit_that_is_no_number_is_wrong_usage(run: Run, command: str, limit: str) -> None:
    told = f"rulesgraph: --limit takes a positive whole number, not {limit!r}"
    assert run(command, "moth", "--limit", limit) == (2, "", f"{told}\n  See: rulesgraph {command} --help\n")


# -- real editions --------------------------------------------------------------------------------


def test_real_editions_are_searched(newest_rules: Rules) -> None:
    found = newest_rules.search("deathtuch lethal kind:rule in:702")
    assert [row["number"] for row in found] == ["702.2c"]
    assert next(row["number"] for row in newest_rules.search("704.5k")) == "704.5k"
    assert [row["number"] for row in newest_rules.search("cites:702.19b kind:subrule")] == ["702.19c"]


def test_plurals_that_no_ending_tells_are_found_and_marked() -> None:
    text = "Two elves and an elf: phenomena and a phenomenon."
    found = [
        tuple(text[start:end] for start, end in spans)
        for word in ("elves", "elf", "phenomenon")
        for spans in marks([text], [Wanted((word,))])
    ]
    assert found == [("elves", "elf"), ("elves", "elf"), ("phenomena", "phenomenon")]
    assert stems(["lives", "life", "living"]) == {"lives": "life", "life": "life", "living": "live"}


@pytest.mark.parametrize(
    ("words", "number", "place"),
    [
        # slang, and a question, find what `ask` finds
        ("sba", "704.1", 1),
        ("fizzle", "608.2b", 1),
        ("does hexproof stop a board wipe", "702.11b", 1),
        ("commander tax", "903.8", 2),
        # a name or a number alone: its text, in order
        ("mill", "701.17a", 1),
        ("Layers", "613.1", 1),
        ("rule 704.5k", "704.5k", 1),
        ("704", "704.1", 1),
    ],
)
def test_words_that_no_passage_has_together_find_the_closest(
    words: str, number: str, place: int, newest_rules: Rules
) -> None:
    assert number in [row["number"] for row in newest_rules.search(words)][:place]


def test_what_is_quoted_or_conditional_is_looked_for_as_it_stands(newest_rules: Rules) -> None:
    for words in ('"sba"', "sba kind:rule", "sba*", "sba in:704"):
        assert newest_rules.search(words).rows == ()


@pytest.mark.parametrize(("half", "first", "in_five"), [("tuned", 15, 17), ("unseen", 12, 16)])
def test_what_people_type_is_found_first(half: str, first: int, in_five: int, newest_rules: Rules) -> None:
    found = [(it, [row["number"] for row in newest_rules.search(it.words)]) for it in typed(half)]
    places = [it.place(numbers) for it, numbers in found]
    assert (len(places), places.count(1), sum(0 < it <= 5 for it in places)) == (17, first, in_five)


@pytest.mark.parametrize(("day", "number"), [("2026-01-16", "704.5f"), ("2008-02-01", "420.5b")])
def test_a_rule_that_players_words_mean_has_these_for_a_reason(
    day: str, number: str, real_rules: Rules
) -> None:
    first = real_rules.ask("my creature has 0 toughness, what happens?", edition=f"cr-{day}")[0]
    assert first["number"] == number
    assert str(first["reason"]).startswith(
        "named in the question: “0 toughness”; mentions Creature; contains “0”"
    )


@pytest.mark.parametrize(
    "words", ["trample", '"damage on the stack" edition:all', "kind:example trample", "704.5k"]
)
def test_a_search_counts_what_its_limit_leaves_out(words: str, real: Session) -> None:
    whole = search(real, words, limit=5_000)
    assert whole.more == 0
    assert len(whole) > 1
    for limit in (1, 3, 10):
        found = search(real, words, limit=limit)
        assert found.rows == whole.rows[:limit]
        assert len(found) + found.more == len(whole)
