"""Real editions in the forms in which people have them give the same rules, examples and entries."""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest
from rulesgraph.loaders.reading.detect import load_document
from rulesgraph.loaders.reading.source import decode
from rulesgraph.ontology import SourceError

EDITIONS = ("cr/2008-02-01.txt", "more/2026-04-17.txt")

Content = tuple[list[tuple[str, str]], list[tuple[str, list[str]]], list[tuple[str, list[str]]]]


def content(text: str) -> Content:
    """Return the texts of rules, their examples, and the entries; line breaks in rules count as spaces."""
    document = load_document(decode(text.encode(), "rules.txt"))
    rules = [(it.number, " ".join(it.text.split())) for it in document.rules]
    examples = [(it.number, [one.text for one in it.examples]) for it in document.rules]
    entries = [(it.heading, [one.text for one in it.paragraphs]) for it in document.entries]
    return rules, examples, entries


@cache
def lines_of(edition: Path) -> tuple[str, ...]:
    return tuple(
        edition.read_bytes().decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    )


@cache
def content_of(edition: Path) -> Content:
    return content("\n".join(lines_of(edition)))


def glossary_at(lines: Sequence[str]) -> int:
    return max(n for n, line in enumerate(lines) if line.strip() == "Glossary")


def quoted(lines: Sequence[str]) -> str:
    greeting = "On Monday somebody wrote:"
    return "\n".join([greeting, *(f"> {it}" for it in lines)])


def numbered(lines: Sequence[str]) -> str:
    return "\n".join(f"{n:>6}\t{it}" for n, it in enumerate(lines, 1))


def counted(lines: Sequence[str]) -> str:
    return "\n".join(f"{n}:{it}" for n, it in enumerate(lines, 1))


def with_bold_terms(lines: Sequence[str]) -> str:
    """In the glossary, bold lines between a blank one and text."""
    start, kept = glossary_at(lines), [*lines]
    end = max([n for n, line in enumerate(lines) if line.strip() == "Credits"] + [start])
    for n in range(start + 1, end if end > start else len(lines) - 1):
        if not lines[n - 1].strip() and lines[n].strip() and lines[n + 1].strip():
            kept[n] = f"**{lines[n].strip()}**"
    return "\n".join(kept)


def with_ligatures(lines: Sequence[str]) -> str:
    return "\n".join(lines).replace("ffi", "ﬃ").replace("ff", "ﬀ").replace("fi", "ﬁ").replace("fl", "ﬂ")


def with_held_hyphens(lines: Sequence[str]) -> str:
    return "\n".join(lines).replace("-", "\u2011")


def in_full_width(lines: Sequence[str]) -> str:
    return "\n".join(lines).translate({ord(str(n)): 0xFF10 + n for n in range(10)})


def with_entities(lines: Sequence[str]) -> str:
    marks: dict[str, int | str | None] = {
        "“": "&ldquo;",
        "”": "&rdquo;",
        "’": "&#8217;",
        "—": "&mdash;",
        '"': "&quot;",
    }
    return html.escape("\n".join(lines), quote=False).translate(str.maketrans(marks))


def with_bracketed_examples(lines: Sequence[str]) -> str:
    return "\n".join(f"[{it.strip()}]" if it.strip().startswith("Example:") else it for it in lines)


def with_other_examples(lines: Sequence[str]) -> str:
    return "\n".join(
        it.replace("Example:", "E.g.", 1) if it.strip().startswith("Example:") else it for it in lines
    )


def wrapped_flush(lines: Sequence[str]) -> str:
    """Rules have hanging lines; examples are wrapped at their own margin."""
    found: list[str] = []
    for it in lines:
        margin = "   " if it.strip().startswith("Example") else "         "
        found += textwrap.wrap(it.strip(), 96, initial_indent="   ", subsequent_indent=margin) or [""]
    return "\n".join(found)


def paragraphs(lines: Sequence[str]) -> list[str]:
    return [html.escape(it.strip()) for it in lines if it.strip()]


def as_page(lines: Sequence[str]) -> str:
    """A page with a menu and a footer; paragraphs are wrapped, and their numbers are bold."""
    bold = [re.sub(r"^(\d{3}\.\S*)", r"<b>\1</b>", it) for it in paragraphs(lines)]
    body = "\n\n".join(f"<p>{textwrap.fill(it, 72, break_on_hyphens=False)}</p>" for it in bold)
    menu = "<nav><ul><li><a href='/'>Home</a></li><li>Rules</li></ul></nav>"
    return f"<!DOCTYPE html>\n<html><title>Rules</title><body>{menu}<main>{body}</main></body></html>"


def as_table(lines: Sequence[str]) -> str:
    """A row for each paragraph, all on one line."""
    rows = [re.sub(r"^(\d{3}\.\S*) ", r"\1</td><td>", it) for it in paragraphs(lines)]
    return f"<html><table>{''.join(f'<tr><td>{it}</td></tr>' for it in rows)}</table></html>"


FORMS: list[Callable[[Sequence[str]], str]] = [
    *(quoted, numbered, counted, with_bold_terms, with_ligatures, with_held_hyphens, in_full_width),
    *(with_entities, with_bracketed_examples, with_other_examples, wrapped_flush),
    *(as_page, as_table),
]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("form", FORMS)
def test_a_copy_in_another_form_says_the_same(
    shared: Path, edition: str, form: Callable[[Sequence[str]], str]
) -> None:
    lines = lines_of(shared / "corpora" / edition)
    copy = form(lines)
    assert copy != "\n".join(lines)
    wanted, found = content_of(shared / "corpora" / edition), content(copy)
    assert found[:2] == wanted[:2]
    if form is wrapped_flush:  # two paragraphs of an entry may look like one
        words = [" ".join(word for name, own in it[2] for word in (name, *own)) for it in (found, wanted)]
        assert words[0] == words[1]
    else:
        assert found[2] == wanted[2]


def test_words_divided_at_line_ends_are_joined() -> None:
    lines = [
        "100. Lanterns",
        "100.1. A lantern glows while the lantern-",
        "keeper waits; two-",
        "colored lan-",
    ]
    lines += ["terns glow like lanterns.", "100.2. It is a lantern."]
    read = decode("\n".join(lines).encode(), "rules.txt")
    assert read.lines == (*lines[:3], "colored lanterns", "glow like lanterns.", lines[-1])
    [problem] = read.problems
    assert (problem.code, problem.first_line) == ("mended-words", 4)


def test_a_patch_is_refused(shared: Path) -> None:
    lines = lines_of(shared / "corpora" / EDITIONS[0])
    patch = "\n".join(["--- a/rules.txt", "+++ b/rules.txt", "@@ -1,3 +1,3 @@", *(f" {it}" for it in lines)])
    with pytest.raises(SourceError, match="this is a patch, not a text"):
        content(patch)


def test_a_glossary_with_terms_and_definitions_on_one_line_is_refused(shared: Path) -> None:
    """Before, the last of them was a term with hundreds of paragraphs."""
    for edition in EDITIONS:
        lines = lines_of(shared / "corpora" / edition)
        start, text = glossary_at(lines), with_bold_terms(lines)
        glossary = "\n".join(text.split("\n")[start:]).replace("**\n", ": ").replace("\n**", "\n")
        with pytest.raises(SourceError, match="lines of the glossary are below no term"):
            content("\n".join([*lines[:start], glossary]))


def test_lines_of_endless_figures_are_no_numbers_of_lines() -> None:
    figures = "9" * 5_000
    with pytest.raises(SourceError, match="a number does not end"):
        decode(f"{figures}\nA lamp.\n{figures}".encode(), "rules.txt")
