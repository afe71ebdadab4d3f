"""Passages for retrieval programs, and trees of nodes: complete, in order, and described."""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import real
import rulesgraph
from commands import Run
from pyoxigraph import RdfFormat, parse
from rulesgraph.ontology.errors import UsageError
from rulesgraph.queries.export.extract import without_words
from rulesgraph.queries.export.retrieval import CHUNKS, FIELDS

ROOT = Path(__file__).resolve().parents[1]
BASE = "https://w3id.org/rulesgraph/"
OLD, NEW = "cr-2031-02-01", "cr-2031-07-01"


def lines(rules: rulesgraph.Rules, **options: str | int) -> list[dict[str, object]]:
    out = io.BytesIO()
    rules.export("jsonl", out, **options)  # type: ignore[arg-type]
    return [json.loads(line) for line in out.getvalue().decode().splitlines()]


def test_a_passage_has_all_that_is_known_of_it(mini_rules: rulesgraph.Rules) -> None:
    [found] = [it for it in lines(mini_rules, edition=OLD, min_chars=1) if it["number"] == "301.3a"]
    text = (
        'Flutter is a triggered ability. "Flutter" means "Whenever this moth\'s lantern goes dark, you may '
        'move this moth to a lit lantern." (See rule 300.2b.)'
    )
    rule = mini_rules.rule("301.3a", edition=OLD)
    assert found == {
        "id": f"{OLD}/rule/301.3a",
        "iri": f"{BASE}edition/{OLD}/rule/301.3a",
        "kind": "rule",
        "number": "301.3a",
        "heading": ["3 What Happens", "301 Keyword Abilities", "301.3 Flutter"],
        "text": text,
        "examples": [],
        "notes": [],
        "parts": [],
        "parent": f"{OLD}/rule/301.3",
        "cites": [f"{OLD}/rule/300.2b"],
        "cited_by": [],
        "defines": [],
        "terms": ["Dark", "Flutter", "Lantern", "Moth"],
        "provision": f"{BASE}provision/{OLD}/301.3a",
        "edition": OLD,
        "date": "2031-02-01",
        "document": OLD,
        "line": rule.lines and rule.lines[0],
        "last_line": rule.lines and rule.lines[1],
        "checksum": hashlib.sha256(text.encode()).hexdigest(),
    }


def test_a_rule_can_be_joined_with_its_subrules(mini_rules: rulesgraph.Rules) -> None:
    found = {it["id"]: it for it in lines(mini_rules, edition=NEW, chunk="rule", min_chars=1)}
    checks = found[f"{NEW}/rule/310.2"]
    assert str(checks["text"]).splitlines() == [
        "The dusk checks are as follows:",
        "310.2a A lantern with no oil goes dark.",
        "310.2b A moth on a dark lantern returns to the bag.",
        "310.2c A keeper with no lit lantern loses the evening.",
    ]
    assert checks["parts"] == ["310.2a", "310.2b", "310.2c"]
    assert checks["cited_by"] == [f"{NEW}/rule/201.1", f"{NEW}/rule/202.1", f"{NEW}/rule/320.4"]
    assert found[f"{NEW}/rule/101.1"]["examples"] == [
        "Ada is older than Bo. Ada lights three lanterns, Bo lights three lanterns, and Ada begins."
    ]
    assert found[f"{NEW}/entry/trim"]["defines"] == ["Trim"]
    assert found[f"{NEW}/rule/320.3"]["defines"] == ["Drift"]
    assert f"{NEW}/rule/310.2a" not in found


def test_an_example_of_a_joined_part_begins_with_its_number(tmp_path: Path) -> None:
    text = (ROOT / "tests" / "mini" / "lanterns-2031-07-01.txt").read_text(encoding="utf-8")
    part = "310.2a A lantern with no oil goes dark."
    assert part in text
    source = tmp_path / "lanterns.txt"
    source.write_text(text.replace(part, f"{part}\nExample: Ada has no oil."), encoding="utf-8")
    rules = rulesgraph.build(source, store=":memory:").rules
    told = {it["number"]: it["examples"] for it in lines(rules)}
    assert told["310.2a"] == ["Ada has no oil."]
    joined = {it["number"]: it["examples"] for it in lines(rules, chunk="rule")}
    assert joined["310.2"] == ["310.2a Ada has no oil."]
    assert joined["101.1"] == told["101.1"]


def test_a_bare_heading_goes_into_the_passage_below_it(mini_rules: rulesgraph.Rules) -> None:
    apart = {it["id"]: it for it in lines(mini_rules, edition=OLD, min_chars=1)}
    joined = {it["id"]: it for it in lines(mini_rules, edition=OLD)}
    heading, rule = f"{OLD}/rule/301.3", f"{OLD}/rule/301.3a"
    assert joined.keys() < apart.keys()
    assert heading in apart
    assert heading not in joined
    assert (joined[rule]["parts"], joined[rule]["defines"]) == (["301.3"], apart[heading]["defines"])
    own = ("number", "kind", "provision", "heading", "text", "checksum", "line", "last_line")
    for id, passage in joined.items():
        assert [passage[key] for key in own] == [apart[id][key] for key in own]
    [chapter] = [it for it in joined.values() if "3" in it["parts"]]  # type: ignore[operator]
    assert chapter["heading"] == ["3 What Happens", "300 Waning Checks"]  # a section with its first chapter
    assert {it["kind"] for it in joined.values()} == {"rule", "entry"}


def test_a_chapter_without_rules_goes_into_the_next(newest_rules: rulesgraph.Rules) -> None:
    found = lines(newest_rules)
    assert {it["kind"] for it in found} == {"rule", "entry"}
    [casting] = [it for it in found if it["number"] == "601.1"]
    assert casting["parts"] == ["6", "600", "601"]
    assert casting["heading"] == ["6 Spells, Abilities, and Effects", "601 Casting Spells"]
    assert str(casting["text"]).splitlines()[0] == "600 General"  # no heading of the rule: it is not above it


OF_RULES = pytest.mark.long(small="test_a_bare_heading_goes_into_the_passage_below_it")


@pytest.mark.parametrize("day", [pytest.param("2026-01-16", marks=OF_RULES), "2008-02-01"])
def test_a_rule_with_words_is_one_passage_of_its_own(
    shared: Path, store_of: Callable[..., Path], day: str
) -> None:
    source = real.rules(shared, day)
    rules = rulesgraph.open(store_of(source))
    found = {str(it["number"]): it for it in lines(rules) if it["kind"] == "rule"}
    numbers = [it["number"] for it in lines(rules) if it["kind"] == "rule"]
    # A chapter or a rule without words has only the words of its heading.
    held = real.parsed(source).rules
    bare = {it.number for it in held if it.text == it.title and len(it.text) < 80}
    assert len(bare) > 190
    assert sorted(numbers) == sorted(it.number for it in held if it.number not in bare)  # type: ignore[type-var]
    assert bare <= {part for it in found.values() for part in it["parts"]}  # type: ignore[attr-defined]
    provisions = {number: it["provision"] for number, it in found.items()}
    assert len(set(provisions.values())) == len(provisions)
    lead_in = "704.5" if day.startswith("2026") else "420.5"
    for number in (lead_in, f"{lead_in}a"):
        node = rules.rule(number)
        assert provisions[number] == f"{BASE}provision/{node.provision}"
        assert (found[number]["text"], found[number]["line"]) == (node.text, node.lines and node.lines[0])


def test_rulings_are_passages_with_their_notes(mini_rules: rulesgraph.Rules) -> None:
    found = {it["id"]: it for it in lines(mini_rules, edition="rulings-2031-03-10", chunk="entry")}
    glimmer = found["rulings-2031-03-10/entry/G7.2"]
    assert glimmer["heading"] == ["G7.2 Glimmer"]
    assert glimmer["parts"] == ["G7.2a", "G7.2.Ruling.1"]
    assert glimmer["notes"] == ['Also see Rule 301.2, "Glimmer."']
    assert [it["kind"] for it in found.values()] == ["entry"] * 5


RULES = pytest.mark.long(small="test_no_word_is_lost_or_told_twice")


@pytest.fixture(params=["an invented game", pytest.param("the newest rules", marks=RULES)])
def source(request: pytest.FixtureRequest) -> Path:
    """The rules of an edition."""
    if request.param == "an invented game":
        return ROOT / "tests" / "mini" / "lanterns-2031-07-01.txt"
    return real.rules(request.getfixturevalue("shared"), "2026-01-16")


@pytest.mark.parametrize("chunk", ["subrule", "rule"])
def test_no_word_is_lost_or_told_twice(source: Path, store_of: Callable[..., Path], chunk: str) -> None:
    document = real.parsed(source)
    found = lines(rulesgraph.open(store_of(source)), chunk=chunk)
    texts = [str(it["text"]) for it in found]
    told = sum(len(re.findall(r"\w+", re.sub(r"(?m)^\d+(\.\d+[a-z]*)? ", "", text))) for text in texts)
    held = [rule.text for rule in document.rules]
    held += [paragraph.text for entry in document.entries for paragraph in entry.paragraphs]
    # A bare heading is in the `heading` of the passage that it went into.
    into = {(part, it["number"]) for it in found for part in it["parts"]}  # type: ignore[attr-defined]
    heads = {" ".join((it.number, it.title)): it for it in document.rules if it.title}
    told += sum(
        len(re.findall(r"\w+", heads[words].text))  # type: ignore[misc]
        for it in found
        for words in it["heading"]  # type: ignore[attr-defined]
        if words in heads and (heads[words].number, it["number"]) in into
    )
    assert told == sum(len(re.findall(r"\w+", text)) for text in held)
    ids = [it["id"] for it in found]
    assert len(set(ids)) == len(ids)
    order = [it["line"] for it in found]
    assert order == sorted(order)  # type: ignore[type-var]
    cited = {(it["id"], other) for it in found for other in it["cites"] if other in ids}  # type: ignore[attr-defined]
    assert cited == {(other, it["id"]) for it in found for other in it["cited_by"]}  # type: ignore[attr-defined]


def test_words_can_stay_out(mini_rules: rulesgraph.Rules) -> None:
    out = io.BytesIO()
    mini_rules.export("jsonl", out, edition=NEW, words=False)
    bare = [json.loads(line) for line in out.getvalue().decode().splitlines()]
    whole = lines(mini_rules, edition=NEW)
    assert [{**it, "text": None, "examples": None, "notes": None} for it in whole] == bare


def test_the_fields_are_documented() -> None:
    text = (ROOT / "docs" / "passages.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
    assert [name for row in rows for name in re.findall(r"`(\w+)`", row)] == FIELDS
    assert all(f"--chunk {chunk}" in " ".join(text.split()) for chunk in CHUNKS)


def test_trees_say_what_the_graph_says(mini_rules: rulesgraph.Rules) -> None:
    out = io.BytesIO()
    mini_rules.export("jsonld", out, edition=NEW, framed=True)
    found = {str(quad.triple) for quad in parse(out.getvalue(), RdfFormat.JSON_LD)}
    session = mini_rules.session
    held = set()
    for graph in (session.iris.document(NEW), session.iris.derived(NEW), session.iris.history(NEW)):
        store = session.holding([session.iris.derived(NEW)])
        held |= {line.removesuffix(" .") for line in store.graph_lines(graph)}
    assert found <= held
    kinds = "Rule|Entry|Paragraph|Example|Section|Reference|Change|Note|Ruling"
    typed = {line.split(" ")[0] for line in held if re.search(rf"#type> <{BASE}ns#(?:{kinds})>$", line)}
    told = {it for it in held if it.split(" ")[0] in typed}
    assert {it for it in told - found if f"/{NEW}/" in it.split(" ")[0]} == set()


def test_a_tree_holds_a_rule_with_its_parts(mini_rules: rulesgraph.Rules) -> None:
    out = io.BytesIO()
    mini_rules.export("jsonld", out, edition=NEW, framed=True)
    trees = {it["@id"]: it for it in json.loads(out.getvalue())["@graph"]}
    flutter = trees[f"edition/{NEW}/rule/320.4"]
    [part] = flutter["parts"]
    assert (part["notation"], [it["surface"] for it in part["hasReference"]]) == ("320.4a", ["rule 310.2b"])
    assert f"edition/{NEW}/rule/320.4a" not in trees
    assert [flutter[key] for key in ("@type", "notation", "title")] == ["Rule", "320.4", "Flutter"]


def test_trees_can_do_without_words(mini_rules: rulesgraph.Rules) -> None:
    whole, bare = io.BytesIO(), io.BytesIO()
    mini_rules.export("jsonld", whole, edition=NEW, framed=True)
    mini_rules.export("jsonld", bare, edition=NEW, framed=True, words=False)
    told, left = (
        {str(quad.triple) for quad in parse(out.getvalue(), RdfFormat.JSON_LD)} for out in (whole, bare)
    )
    free = without_words()
    assert left == {it for it in told if free(f"{it} .")}
    text = f" <{BASE}ns#text> "
    assert {it for it in told if text in it} <= told - left
    [first, *_] = json.loads(bare.getvalue())["@graph"]
    assert {"@id", "@type", "notation", "title", "firstLine"} <= first.keys()


@pytest.mark.parametrize(
    ("notation", "options"),
    [
        ("turtle", {"chunk": "rule"}),
        ("jsonl", {"chunk": "page"}),
        ("turtle", {"framed": True}),
        ("jsonl", {"framed": True}),
    ],
)
def test_options_that_do_not_fit(
    mini_rules: rulesgraph.Rules, notation: str, options: dict[str, object]
) -> None:
    with pytest.raises(UsageError):
        mini_rules.export(notation, io.BytesIO(), **options)  # type: ignore[arg-type]


def test_the_command_writes_lines(run: Run, mini_store: Path) -> None:
    code, out, _ = run("export", "--as", "jsonl", "--chunk", "entry", "--store", mini_store)
    assert code == 0
    assert [json.loads(line)["heading"] for line in out.splitlines()][:2] == [["Bag"], ["Dark"]]
    assert run("export", "--as", "csv", "--chunk", "rule", "--store", mini_store)[0] == 2
    code, out, _ = run("export", "--as", "jsonld", "--framed", "--store", mini_store)
    assert (code, out.splitlines()[0]) == (0, "{")
