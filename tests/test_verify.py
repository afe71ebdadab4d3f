"""Citations in texts are checked against the rules: what is right, what moved, what never existed."""

from __future__ import annotations

import csv
import gc
import json
import weakref
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

import pytest
import real
import rulesgraph
from commands import Run
from rulesgraph.loaders.history.lives import bundled_lives
from rulesgraph.ontology.errors import UnknownNameError, UsageError
from rulesgraph.queries.verifying.verify import COLUMNS

ROOT = Path(__file__).resolve().parents[1]

Shown = tuple[object, ...]


def findings(rules: rulesgraph.Rules, text: str, **options: str | bool) -> list[Shown]:
    """Return number, finding, now and message of each row."""
    found = rules.verify(text, **options)  # type: ignore[arg-type]
    return [(row["number"], row["finding"], row["now"], row["message"]) for row in found]


@pytest.mark.parametrize(
    "text",
    [
        "Rule 201.2 is about trimming.",
        "rule 310 (Dusk Checks)",
        'rule 201, "Lanterns," and rule 202, "Moth"',  # a plural is no other title
        'rule 201.2, "Lanterns"',  # the title of what it is part of
        'Rule 201.2 says: "To trim a lantern means to take one oil from it and turn it to the right."',
        'Rule 201.2 says "to TRIM a lantern means to take … and turn it to the right"',
        "201.2 reads “To trim a lantern means to take one oil … until the next dusk check is made”.",
        'rule 201.2: "[a] lantern means to take one oil [...] turn it to the right"',
        'Rule 320.2a reads: "Glimmer N" means "This lantern loses no oil"',
        'Rule 310.2 begins "The dusk checks" and "A lantern with no oil goes dark"',  # of a part
        'See rule 101.1: "Ada is older than Bo."',  # of its example
        'The "big lantern" of rule 201.2',  # two words are not a quotation
        'Rule 201.2 says "seven green comets".',  # nor are three
        'Rule 201.2: "Blue comets fly past seven green planets at noon"',  # no rule says anything like it
        "It took 310.9ms, and 310.9s before; see the floor of 310.0",
        "> 202.1. A moth sits on exactly *one* lantern.",
        'See section 3, "What Happens."',
        'Section 1, and section 9, and section 2, "Installation."',  # other texts have sections
        "It costs $201.20, or 310.2 dollars.",
        # words of another rule cited nearby
        'Rule 310.2 applies: it says "a moth sits on exactly one lantern", which is rule 202.1.',
        "Lamps are trimmed (CR 201.2).\n\n> A moth sits on exactly one lantern.\n>\n> — CR 202.1",
    ],
)
def test_what_stands_is_no_finding(mini_rules: rulesgraph.Rules, text: str) -> None:
    assert findings(mini_rules, text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "See rule 300.2a.",
            ("300.2a", "gone", "310.2a", "300.2a of cr-2031-02-01 is 310.2a in cr-2031-07-01"),
        ),
        (
            'rule 301.2, "Glimmer"',
            ("301.2", "gone", "320.2", "301.2 of cr-2031-02-01 is 320.2 in cr-2031-07-01"),
        ),
        (
            "rule 202.2 holds",
            (
                "202.2",
                "gone",
                None,
                "202.2 of cr-2031-02-01 has been gone since cr-2031-07-01; no rule replaced it, "
                "and the rest of 202 is still there",
            ),
        ),
        (
            "rule 310.2z",
            ("310.2z", "unknown", None, "no edition has rule 310.2z; 310.2 ends at 310.2c"),
        ),
        ("rule 777", ("777", "unknown", None, "no edition has rule 777")),
        (
            'rule 320.2, "Drift"',
            ("320.2", "topic", "320.3", "the title of 320.2 is “Glimmer”"),
        ),
        (
            'rule 201, "Comets"',  # no rule has this title
            ("201", "topic", None, "the title of 201 is “Lanterns”"),
        ),
        (
            "320.3 (Flutter)",
            (
                "320.3",
                "topic",
                "320.4",
                "320.3 is “Drift” in cr-2031-07-01; the words around it name “Flutter”, 320.4",
            ),
        ),
        (
            'Rule 201.2: "take one oil from it and turn it to the left"',
            ("201.2", "words", None, "these words are not in 201.2"),
        ),
        (
            'Rule 201.2 says "a moth sits on exactly one lantern".',
            ("201.2", "words", "202.1", "these words are not in 201.2"),
        ),
        (
            '"Each keeper may eat the moths" (rule 201.2)',
            ("201.2", "words", None, "these words are not in 201.2"),
        ),
        (
            "> 201.2. To trim a lantern means to take all oil from it.",
            ("201.2", "words", None, "these words are not in 201.2"),
        ),
        (  # the other rule has different words
            'Rule 201.2 says "a moth sits on exactly one lantern". Rule 202.1 says "a moth".',
            ("201.2", "words", "202.1", "these words are not in 201.2"),
        ),
        (
            'CR 201.2, on trimming: "take one oil from it and turn it to the left"',
            ("201.2", "words", None, "these words are not in 201.2"),
        ),
        ("See 310.99.", ("310.99", "unknown", None, "no edition has rule 310.99; 310 ends at 310.2")),
        ("rule G9.1 says so", ("G9.1", "not loaded", None, "no loaded document contains G9.1")),
    ],
)
def test_what_is_wrong_is_told_with_the_way_out(
    mini_rules: rulesgraph.Rules, text: str, expected: Shown
) -> None:
    assert findings(mini_rules, text) == [expected]


HERE = "https://w3id.org/rulesgraph/"
OLD_RULE, NEW_RULE = f"{HERE}edition/cr-2031-02-01/rule/", f"{HERE}edition/cr-2031-07-01/rule/"


def provision_of(rules: rulesgraph.Rules, rule: str) -> str:
    found = rules.sparql(f"SELECT DISTINCT ?p {{ GRAPH ?g {{ <{rule}> rg:provision ?p }} }}")
    assert isinstance(found, rulesgraph.Answer)
    [(iri,)] = found.rows
    return str(iri)


@pytest.mark.parametrize(
    "text",
    [
        f"see {NEW_RULE}310.2a.",
        f"the keeper ({OLD_RULE}201.1) lights [the lantern]({NEW_RULE}201.1/example/1), <{NEW_RULE}202.1>",
        f"{HERE}edition/cr-2031-02-01/section/1, {HERE}edition/cr-2031-07-01/entry/moth; {HERE}term/moth",
        f"{HERE}ns#cites {HERE}edition/cr-2031-02-01 {HERE}graph/current https://example.org/rule/777",
    ],
)
def test_iris_of_what_is_there_stand(mini_rules: rulesgraph.Rules, text: str) -> None:
    assert findings(mini_rules, text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            f"{OLD_RULE}300.2a",
            ("300.2a", "moved", "310.2a", "300.2a of cr-2031-02-01 is 310.2a in cr-2031-07-01"),
        ),
        (
            f"[a rule]({OLD_RULE}202.2), it says",
            (
                "202.2",
                "gone",
                None,
                "202.2 of cr-2031-02-01 has been gone since cr-2031-07-01; no rule replaced it, "
                "and the rest of 202 is still there",
            ),
        ),
        (f"{NEW_RULE}300.2a", ("300.2a", "unknown", None, "cr-2031-07-01 has no rule 300.2a")),
        (
            f"{HERE}edition/cr-1999-01-01/rule/1.1",
            ("1.1", "not loaded", None, "the edition cr-1999-01-01 is not loaded"),
        ),
        (
            f"{HERE}provision/P99999",
            ("P99999", "unknown", None, "no loaded edition has a rule of the provision P99999"),
        ),
        (f"{HERE}term/comet", ("comet", "unknown", None, "no loaded edition has the term comet")),
        (
            f"{HERE}edition/cr-2031-02-01/entry/comet",
            ("comet", "unknown", None, "cr-2031-02-01 has no entry comet"),
        ),
    ],
)
def test_iris_of_what_is_not_are_told_as_numbers_are(
    mini_rules: rulesgraph.Rules, text: str, expected: Shown
) -> None:
    assert findings(mini_rules, text) == [expected]


def test_a_provision_is_followed_and_a_rule_is_held_against_the_day(mini_rules: rulesgraph.Rules) -> None:
    moved, gone = provision_of(mini_rules, f"{OLD_RULE}300.2a"), provision_of(mini_rules, f"{OLD_RULE}202.2")
    said = (
        "202.2 of cr-2031-02-01 has been gone since cr-2031-07-01; no rule replaced it, "
        "and the rest of 202 is still there"
    )
    assert findings(mini_rules, f"{moved} and\n{gone}") == [("202.2", "gone", None, said)]
    assert findings(mini_rules, f"{OLD_RULE}300.2a {moved} {gone}", edition="2031-02-01") == []
    assert findings(mini_rules, f"{NEW_RULE}320.3", edition="2031-02-01", notes=True) == [
        ("320.3", "newer", None, "320.3 is newer than cr-2031-02-01: it came with cr-2031-07-01")
    ]
    rows = mini_rules.verify(f"rule 300.2a\n{moved} rule 777", every=True).records()
    assert [(it["line"], it["column"], it["finding"], it["iri"]) for it in rows] == [
        (1, 1, "gone", None),
        (2, 1, "stands", f"{NEW_RULE}310.2a"),
        (2, 2 + len(moved), "unknown", None),
    ]


def test_an_older_edition_to_check_against(mini_rules: rulesgraph.Rules) -> None:
    older = {"edition": "cr-2031-02-01"}
    assert findings(mini_rules, "rule 300.2a", **older) == []
    assert findings(mini_rules, "rule 320.3", **older) == []  # a note
    [row] = mini_rules.verify("rule 320.3", notes=True, **older)  # type: ignore[arg-type]
    assert (row["finding"], row["severity"], row["now"], row["message"]) == (
        *("newer", "note", None),
        "320.3 is newer than cr-2031-02-01: it came with cr-2031-07-01",
    )
    [row] = mini_rules.verify("rule 320.3", strict=True, **older)  # type: ignore[arg-type]
    assert (row["finding"], row["severity"]) == ("newer", "warning")
    assert findings(mini_rules, "Rule G7.2 and rule 201.2") == []
    assert findings(mini_rules, "Rule G7.2", **older)[0][1] == "not loaded"


def test_the_edition_that_a_text_was_written_against(mini_rules: rulesgraph.Rules) -> None:
    moved = ("300.2a", "moved", "310.2a", "300.2a of cr-2031-02-01 is 310.2a in cr-2031-07-01")
    for asof in ("2031-02-01", "2031-06-30"):
        assert findings(mini_rules, "rule 300.2a", asof=asof) == [moved]
    for written in ("cr-2031-02-01", "2031-02-01", "February 2031", "March 2031"):
        assert findings(mini_rules, "rule 300.2a", written=written) == [moved]
    assert findings(mini_rules, "20310301 - 300.2a") == [moved]  # a date beside the number
    # A number that the edition checked against lacks is newer if the text was written against a later one.
    [row] = mini_rules.verify("rule 777", written="2031-07-01", edition="2031-02-01", notes=True)
    assert (row["finding"], row["severity"]) == ("newer", "note")
    [row] = mini_rules.verify("rule 777", written="2031-02-01", edition="2031-02-01")
    assert (row["finding"], row["severity"]) == ("unknown", "error")


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"asof": "yesterday"}, UsageError, "'yesterday' is not a date"),
        ({"asof": "1990-01-01"}, UsageError, "no rules are known for 1990-01-01"),
        (
            {"written": "2010"},
            UsageError,
            "5 editions were issued in 2010\n  Give one of them: cr-2010-02-01",
        ),
        ({"edition": "cr-2031-02-02"}, UnknownNameError, "cr-2031-02-01"),
        ({"written": "cr-2031-02-01", "asof": "2031-02-01"}, UsageError, "both an edition and a date"),
    ],
)
def test_editions_that_are_not_there(
    mini_rules: rulesgraph.Rules, options: dict[str, str], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        mini_rules.verify("rule 100", **options)  # type: ignore[arg-type]


def test_a_session_that_is_over_leaves_nothing_in_memory(mini_store: Path) -> None:
    rules = rulesgraph.open(mini_store)
    session = weakref.ref(rules.session)
    rules.verify("See rule 101.1.")
    rules.ask("please tell me which rules cite 101")
    del rules
    gc.collect()
    assert session() is None


def test_every_citation_has_a_row_when_asked_for(mini_rules: rulesgraph.Rules) -> None:
    found = mini_rules.verify("So\n\nrules 201.1 and 300.1", every=True)
    assert found.columns == COLUMNS
    assert found.notes == ("2 citations, 1 finding, 1 number with too few words beside to compare",)
    assert found.edition == "cr-2031-07-01"
    base = "https://w3id.org/rulesgraph/edition/cr-2031-07-01/rule/"
    moved = "300.1 of cr-2031-02-01 is 310.1 in cr-2031-07-01"
    assert found.rows == (
        (3, 1, "rules 201.1", "201.1", "stands", *(None,) * 4, "cr-2031-07-01", f"{base}201.1", None),
        (3, 17, "300.1", "300.1", "gone", "error", "310.1", moved, None, "cr-2031-07-01", None, None),
    )


def test_numbers_that_are_not_checked_are_named(mini_rules: rulesgraph.Rules) -> None:
    notes = mini_rules.verify("It is 201.1, 201.2 and 201.1. Version 310.2.\n\nRule 202").notes
    named = "4 numbers found but not checked (201.1, 201.2, 310.2: write “rule” before a number)"
    assert notes == (f"1 citation, 0 findings, {named}, 1 number with too few words beside to compare",)
    many = " ".join(f"{n}.1" for n in range(101, 131))
    assert (
        "30 numbers found but not checked (101.1, 102.1, 103.1, 104.1, 105.1, 106.1, 107.1, 108.1, …:"
        in (mini_rules.verify(f"The list: {many}").notes[0])
    )


def test_rules_without_an_edition_of_them_are_not_judged(starter_store: Path) -> None:
    rules = rulesgraph.open(starter_store)
    assert findings(rules, "See G12.9 and rule 420.") == []
    with pytest.raises(rulesgraph.RulesMissingError, match="no edition of the comprehensive rules is loaded"):
        rules.verify("See G12.9 and rule 999.9.")


@pytest.mark.parametrize(
    "text", ["", " \n", "\x00\x1b[31m\x07", '"' * 5000, "“" * 5000, "[" * 5000, "rule " * 5000, "𝟕𝟎𝟐.𝟏 ٣٠٠.٢"]
)
def test_texts_of_nothing(mini_rules: rulesgraph.Rules, text: str) -> None:
    assert mini_rules.verify(text).rows == ()


def test_one_long_line_is_read_whole(mini_rules: rulesgraph.Rules) -> None:
    text = ("so says rule 201.2, and nobody else; " + "on and on, " * 30) * 300 + "rule 300.2a"
    found = mini_rules.verify(text, every=True)
    assert sum(row["finding"] in {"stands", "gone"} for row in found) == 301
    assert found.rows[-1][:5] == (1, len(text) - 10, "rule 300.2a", "300.2a", "gone")


# -- the command ------------------------------------------------------------------------------------


def test_the_command_reports_and_tells_by_its_exit_code(run: Run, mini_store: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# On moths\n\nSee rule 202.1.\nSee rule 300.2b.\n", encoding="utf-8")
    code, out, err = run("verify", page, "--store", mini_store)
    assert code == 1
    assert out.splitlines()[0] == "error · gone · rule 300.2b → 310.2b · 4:5"
    assert out.splitlines()[1].startswith("    300.2b of cr-2031-02-01 ")
    bare = "1 number with too few words beside to compare"
    assert err == f"2 citations, 1 finding, {bare}, checked against cr-2031-07-01\n"
    code, out, _ = run("verify", page, "--format", "json", "--store", mini_store)
    assert (code, [list(row) for row in json.loads(out)]) == (1, [list(COLUMNS)])
    code, out, _ = run("verify", page, "--format", "csv", "--store", mini_store)
    assert out.splitlines()[0] == ",".join(COLUMNS)
    code, out, err = run("verify", page, "--edition", "2031-02-01", "--store", mini_store)
    bare = "2 numbers with too few words beside to compare"
    assert (code, out) == (0, "")
    assert err == f"2 citations, 0 findings, {bare}, checked against cr-2031-02-01\n"
    older = ("--edition", "2031-02-01", "--format", "json", "--store", mini_store)
    code, out, _ = run("verify", page, *older)
    assert (code, out) == (0, "[]\n")
    code, out, _ = run("verify", page, "--every", *older)
    assert (code, len(json.loads(out))) == (0, 2)
    page.write_text("See rule 320.3.\n", encoding="utf-8")
    code, out, _ = run("verify", page, "--notes", *older)  # a note is no reason to fail
    assert (code, json.loads(out)[0]["finding"]) == (0, "newer")


@pytest.mark.parametrize(
    ("data", "code", "said"),
    [
        (b"", 0, "0 citations, 0 findings"),
        (b"\xff\xfer\x00u\x00l\x00e\x00 \x002\x000\x002\x00", 0, "1 citation, 0 findings"),
        (b"rule 202 \x93quoted\x94", 0, "1 citation, 0 findings, 1 quotation of fewer than six words"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", 2, "this is not a text"),
        (None, 2, "it cannot be read: No such file or directory"),
    ],
)
def test_files_of_all_kinds(
    run: Run, mini_store: Path, tmp_path: Path, data: bytes | None, code: int, said: str
) -> None:
    page = tmp_path / "page"
    if data is not None:
        page.write_bytes(data)
    found, out, err = run("verify", page, "--store", mini_store)
    assert (found, out) == (code, "")
    assert said in err


def test_a_store_that_is_not_there(run: Run, tmp_path: Path) -> None:
    (tmp_path / "page").write_text("rule 100")
    assert run("verify", tmp_path / "page", "--store", tmp_path / "none")[0] == 4


# -- real documents ---------------------------------------------------------------------------------


def test_citations_are_told_from_prices_and_versions(newest_rules: rulesgraph.Rules) -> None:
    with (ROOT / "tests" / "gold" / "citations.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    cited = [row for row in rows if row["numbers"]]
    assert sum(len(row["numbers"].split()) for row in cited) >= 100
    assert len(rows) - len(cited) >= 60
    told = numbers_by_text(newest_rules, [row["text"] for row in cited])
    told |= numbers_by_text(newest_rules, [row["text"] for row in rows if not row["numbers"]])
    wrong = {row["text"]: told[row["text"]] for row in rows if told[row["text"]] != row["numbers"].split()}
    assert wrong == {}


def numbers_by_text(rules: rulesgraph.Rules, texts: Sequence[str]) -> dict[str, list[str]]:
    """Return each text with the numbers that it cites, all read as the paragraphs of one."""
    by_line: dict[object, list[str]] = defaultdict(list)
    for it in rules.verify("\n\n".join(texts), every=True):
        if it["finding"] != "unread":
            by_line[it["line"]].append(str(it["number"]))
    return {text: by_line[line] for line, text in zip(count(1, 2), texts, strict=False)}


def test_an_edition_held_against_itself(shared: Path, newest_rules: rulesgraph.Rules) -> None:
    """Its citations are right, except for one that was not updated when its rule moved."""
    text = "\n\n".join(rule.text for rule in real.parsed(real.rules(shared, "2026-01-16")).rules)
    found = newest_rules.verify(text)
    assert [(row["number"], row["finding"], row["now"]) for row in found] == [("614.12b", "stale", "614.12c")]
    assert found.notes[0].startswith("1,105 citations, 1 finding")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # What a number meant before 2025, in words of our own.
        ("Scry (CR 701.18): look at the top.", ("701.18", "stale", "error", "701.22")),
        (
            "// CR 701.17a: sacrifices it\nfn give_up() {}",
            ("701.17a", "stale", "error", "701.21a"),
        ),
        ("/// CR 702.110\nfn resolve_menace(blockers: u8) {}", ("702.110", "stale", "error", "702.111")),
        ("20130601 - 702.47: ninjutsu", ("702.47", "moved", "error", "702.49")),
        # Another mechanic than the one that is named beside it.
        ("# CR 702.9: Vigilance on attackers", ("702.9", "topic", "error", "702.20")),
        ('See rule 702.19, "Haste."', ("702.19", "topic", "error", "702.10")),
        # The words beside it fit, or are about something else.
        ("It need not have trample: this is an exception to rule 702.9.", None),
        ("CR 702.19b: Trample over blockers", None),
        ("CR 702.19b + CR 702.2c: trample with deathtouch", None),
        ("CR 608.2c: the scry happens first", None),  # a general rule is cited beside any mechanic
        ("CR 702.29e: swampcycling is a kind of it", None),
        ("CR 701.18 and CR 701.22: scry", None),  # the subject is beside it
    ],
)
def test_the_words_beside_a_number_tell_what_is_meant(
    newest_rules: rulesgraph.Rules, text: str, expected: Shown | None
) -> None:
    found = [
        (row["number"], row["finding"], row["severity"], row["now"]) for row in newest_rules.verify(text)
    ]
    assert found == ([expected] if expected else [])


def test_all_that_moved_is_told_of_a_text_of_older_rules(newest_rules: rulesgraph.Rules) -> None:
    lives = bundled_lives()
    before, after = "cr-2025-04-04", "cr-2025-06-06"
    holders = {it: lives.holders(it) for it in lives.numbers}
    held = {
        edition: {
            number: provision
            for number, found in holders.items()
            for provision, own in found
            if own.first <= edition <= own.last
        }
        for edition in (before, after)
    }
    moved = [number for number, it in held[before].items() if held[after].get(number) != it]
    assert len(moved) == 259
    text = "\n\n".join(f"See CR {number}." for number in moved)
    told = {row["number"]: row["finding"] for row in newest_rules.verify(text, asof="2025-04-04")}
    assert told == dict.fromkeys(moved, "moved")


@pytest.mark.long(small="test_what_is_wrong_is_told_with_the_way_out")
def test_old_numbers_lead_to_the_new_ones(shared: Path, store_of: Callable[..., Path]) -> None:
    rules = rulesgraph.open(store_of(*(real.rules(shared, day) for day in real.AROUND)))
    text = 'Rule 420.5b, rule 502.15, rule 502.2, "First Strike," rule 415.7, rule 408.1g, and rule 613.2'
    # What it quotes is of the rule itself: the title of its chapter would say too little.
    told = [(*it[:3], str(it[3]).partition("; 502.2 is “")[0]) for it in findings(rules, text)]
    assert "Untap Step" not in str(findings(rules, text))
    assert told == [
        ("420.5b", "gone", "704.5f", "420.5b of cr-2009-05-01 is 704.5f in cr-2026-01-16"),
        ("502.15", "gone", "702.26", "502.15 of cr-2009-05-01 is 702.26 in cr-2026-01-16"),
        (
            "502.2",
            "stale",
            "702.7",
            "until cr-2009-05-01 502.2 was “First Strike”, which is now 702.7",
        ),
        (
            "415.7",
            "gone",
            "115.7, 700.2",
            "415.7 of cr-2009-05-01 has been gone since cr-2009-07-11; see 115.7, 700.2 instead",
        ),
        (  # that combat damage uses the stack: the rest of 408.1 is about priority, which is another matter
            "408.1g",
            "gone",
            None,
            "408.1g of cr-2009-05-01 has been gone since cr-2009-07-11; no rule replaced it, "
            "and the rest of 408.1 is in 117",
        ),
    ]
