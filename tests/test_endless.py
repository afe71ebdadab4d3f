"""Small files that would take minutes: endless ones are refused with a sentence, others are read."""

from __future__ import annotations

import pytest
from copies import GOOD, Lines, first_rule
from rulesgraph.loaders.language.words import join_wrapped
from rulesgraph.loaders.reading import detect
from rulesgraph.loaders.reading.comprehensive.parse import parse
from rulesgraph.loaders.reading.detect import load_document, records_in
from rulesgraph.loaders.reading.rulings.scan import scan
from rulesgraph.loaders.reading.source import LONGEST_LINE, Source, decode
from rulesgraph.loaders.records import Document
from rulesgraph.ontology.errors import SourceError

LINES = tuple(GOOD.splitlines())


def source(lines: Lines) -> Source:
    return decode("\n".join(lines).encode(), "copy.txt")


def load(lines: Lines) -> Document:
    return load_document(source(lines))


def behind_the_first_rule(*more: str) -> list[str]:
    place = next(i for i in range(first_rule(LINES), len(LINES)) if LINES[i].lstrip().startswith("100.1"))
    return [*LINES[: place + 1], *more, *LINES[place + 1 :]]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("tar " * LONGEST_LINE, rf"not a line of a rules text: it has {4 * LONGEST_LINE:,} characters"),
        ("7" * 3000, "not a line of a rules text: a number does not end"),
    ],
    ids=["a line", "a number"],
)
def test_what_has_no_end_is_refused(line: str, says: str) -> None:
    lines = behind_the_first_rule(line)
    with pytest.raises(SourceError, match=says) as refusal:
        load(lines)
    assert refusal.value.line == lines.index(line) + 1
    assert len(str(refusal.value)) < 400


def test_a_paragraph_of_thousands_of_lines_is_read_line_by_line() -> None:
    more = ["pitch 1234 and"] * 20_000
    document = parse(source(behind_the_first_rule("", "100.1c Every hole is caulked with", *more, "tar.")))
    (rule,) = (rule for rule in document.rules if rule.number == "100.1c")
    assert rule.text == f"Every hole is caulked with {' '.join(more)} tar."


def test_a_ruling_of_thousands_of_lines_is_read_line_by_line() -> None:
    more = ["pitch 1234 and"] * 20_000
    first, second = scan(["G5.1 - Tar", "", "G5.1a - Every hole is caulked with", *more, "tar."])
    assert (first.kind, second.kind) == ("heading", "paragraph")
    assert second.text == join_wrapped(["Every hole is caulked with", *more, "tar."])


def test_too_many_problems_are_no_rules_text(monkeypatch: pytest.MonkeyPatch) -> None:
    slips = [line for _ in range(3) for line in ("", "100.1. Words that stand there again.")]
    assert len(load(behind_the_first_rule(*slips)).problems) == 3
    monkeypatch.setattr(detect, "MOST_PROBLEMS", 2)
    with pytest.raises(SourceError, match=r"3 problems were found in it; the first is: 100\.1 appears again"):
        load(behind_the_first_rule(*slips))


def test_too_many_records_are_no_rules_text(monkeypatch: pytest.MonkeyPatch) -> None:
    more = [
        "",
        "100.1c Holes are caulked as rules 100.1 and 100.2 say.",
        "",
        "Example: Tubs are no holes.",
    ]
    known = records_in(load(LINES))
    assert records_in(load(behind_the_first_rule(*more))) == known + 4
    monkeypatch.setattr(detect, "MOST_RECORDS", known + 3)
    assert load(LINES).rules
    with pytest.raises(SourceError, match=f"it has {known + 4} rules, entries, examples and references"):
        load(behind_the_first_rule(*more))


def test_a_range_counts_as_all_that_it_names() -> None:
    known = records_in(load(LINES))
    more = ["", "100.1c Holes are caulked as rules 100.1d-100.1z say."]
    letters = "defghijkmnpqrstuvwxyz"
    (found,) = (rule for rule in load(behind_the_first_rule(*more)).rules if rule.number == "100.1c")
    assert [it.key for it in found.references[0].targets] == [f"100.1{letter}" for letter in letters]
    assert records_in(load(behind_the_first_rule(*more))) == known + 1 + len(letters)


def before(number: str, *more: str) -> list[str]:
    place = next(i for i in range(first_rule(LINES), len(LINES)) if LINES[i].lstrip().startswith(number))
    return [*LINES[:place], *more, "", *LINES[place:]]


def test_a_run_of_missing_numbers_is_one_problem() -> None:
    (problem,) = load(before("101. ", "100.999. Every plank is counted.")).problems
    assert problem.code == "missing-number"
    assert problem.message == f"{problem.subject} to 100.998 are missing before 100.999"


def test_letters_up_to_the_last_are_one_problem_too() -> None:
    (problem,) = load(before("100.2", "100.1zz Every plank is counted.")).problems
    assert problem.code == "missing-subletter"
    assert problem.message == f"{problem.subject} to 100.1az are missing before 100.1zz"


def test_letters_behind_the_last_are_none() -> None:
    more = [f"100.1{letters} Every plank is counted." for letters in ("zz", "az", "zz")]
    assert "missing-subletter" in [it.code for it in load(before("100.2", *more)).problems]
