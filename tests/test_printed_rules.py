"""Tournament rules as printed: their web pages, and numbers on lines of their own or out of order."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

import pytest
from rulesgraph.loaders.reading.detect import load_document
from rulesgraph.loaders.reading.source import decode
from rulesgraph.loaders.records import Document
from rulesgraph.ontology.errors import SourceError
from test_forms import GUIDE, load


def as_page(text: str) -> str:
    """Return a text as `pdftohtml -c` writes it: each run of letters of one kind in a line of the file."""
    body: list[str] = []
    for row, line in enumerate(text.splitlines(), 1):
        words = escape(line.strip("# ")).replace("captain", "\n<i>captain</i>\n")
        places = enumerate(words.splitlines() or [" "])
        style = '<p style="position:absolute;top:{}px;left:{}px;white-space:nowrap">{}</p>'
        body += (style.format(20 * row + at % 2, 80 + 50 * at, part) for at, part in places)
        body.append(style.format(20 * row - 9, 836, "<i>&#160;</i>"))
    return "<!DOCTYPE html>\n<html><head>\n<style>\np { margin: 0 }\n</style></head><body>\n" + "\n".join(
        body
    )


def as_merged_page(text: str) -> str:
    """Return a text as newer programs write it: paragraphs in a line of the file, the outline at the end."""
    style = '<p style="position:absolute;top:{}px;left:80px;white-space:nowrap">{}</p>'
    body, rows = [], list(enumerate(escape(line.strip("# ")) for line in text.splitlines()))
    outline = "".join(f"<li>{line}</li>\n" for _, line in rows if re.match(r"\d", line))
    while rows:
        lines = [rows.pop(0)]
        while len(lines[-1][1]) > 40 and rows:
            lines.append(rows.pop(0))
        body.append(style.format(20 * lines[0][0], "<br/>".join(line or "&#160;" for _, line in lines)))
    page = "\n".join(it for it in body if not it.endswith('nowrap">&#160;</p>'))
    return f'<!DOCTYPE html>\n<html><body>\n{page}\n<a name="outline"></a><ul>\n{outline}</ul></body></html>'


@pytest.mark.parametrize("written", [as_page, as_merged_page])
def test_a_guide_saved_as_a_web_page_says_the_same(written: Callable[[str], str]) -> None:
    plain, page = load(GUIDE.replace("#", "")), load_document(decode(written(GUIDE).encode(), "x"))

    def said(document: Document) -> list[tuple[str, str, list[str]]]:
        return [(it.number, it.heading, [unit.text for unit in it.paragraphs]) for it in document.entries]

    assert said(page) == said(plain)
    assert page.edition == "ipg-2032-03-04"
    at = next(it for it in page.entries if it.number == "2.1").first_line
    assert "Loose Rope" in written(GUIDE).splitlines()[at - 1]


def test_a_heading_behind_an_example_is_none_of_it() -> None:
    text = GUIDE.replace("into the water.\n", "into the water\nPhilosophy\nRopes break.\n").replace("#", "")
    rows = [line for line in text.splitlines() if line]
    place, body = 0, []
    for line in rows:
        place += 40 if line == "Philosophy" else 20
        body.append(f'<p style="position:absolute;top:{place}px;left:9px">{escape(line)}</p>')
    page = load_document(decode(("<!DOCTYPE html>\n<html>" + "\n".join(body)).encode(), "x"))
    [rope] = [it for it in page.entries if it.number == "2.1"]
    assert [it.text for it in rope.paragraphs][-2:] == ["Philosophy", "Ropes break."]
    assert [it.text for it in rope.paragraphs[-3].examples][-1] == "A rope is thrown into the water"


def test_numbers_may_be_on_lines_of_their_own() -> None:
    """`pdftotext` without a layout writes the contents in columns, and a title below its number."""
    contents = "CONTENTS\n\n1.1\n\n2.1\n\n2.2\n\nGeneral ........ 1\n"
    apart = re.sub(r"(?m)^### (\d\.\d)\. (.*)$", r"\1\n\n\2", GUIDE[GUIDE.index("## 1.") :]).replace("#", "")
    document = load(f"{GUIDE[: GUIDE.index('CONTENTS')]}{contents}{apart}")
    assert document.entries[0].heading == "GENERAL"
    assert [(it.number, it.heading, [unit.text for unit in it.paragraphs]) for it in document.entries] == [
        (it.number, it.heading, [unit.text for unit in it.paragraphs]) for it in load(GUIDE).entries
    ]


def test_a_number_in_the_middle_of_a_sentence_begins_nothing() -> None:
    text = GUIDE.replace(
        "that the boat drifts.", "that the boat drifts, as the pictures of knots show in\nAppendix A."
    )
    assert [it.number for it in load(text).entries] == [it.number for it in load(GUIDE).entries]


def test_numbers_out_of_order_are_a_problem() -> None:
    text = GUIDE.replace("### 2.2.", "### 4.2.\n\nA pier.\n\n### 6.2.\n\nA mole.\n\n### 2.2.")
    problems = {it.code: it.message for it in load(text).problems}
    assert (
        problems["out-of-order"]
        == "2 numbers at the start of lines are out of order and belong to no provision: 4.2, 6.2"
    )
    assert "out-of-order" not in {it.code for it in load(GUIDE).problems}


def test_the_contents_may_come_again_behind_the_text() -> None:
    again = "CONTENTS\n\n1. General\n1.1. Penalties\n2. Mooring Errors\n2.1. Mooring Error — Loose Rope\n"
    numbers = [(it.number, len(it.paragraphs)) for it in load(GUIDE).entries]
    assert [(it.number, len(it.paragraphs)) for it in load(GUIDE + again).entries][:-1] == numbers[:-1]


def test_a_web_page_that_is_no_rules_document_is_refused() -> None:
    for page in (
        "<!DOCTYPE html><html><body>100.1. Rules</body></html>",
        as_page(GUIDE.replace("GUIDE", "BOOK")),
    ):
        with pytest.raises(SourceError, match="not a rules document"):
            load_document(decode(page.encode(), "x"))
