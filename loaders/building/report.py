"""What a build did, as plain values: counts for each document, refusals with their reasons."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..records import Document, Example, Note, Paragraph, Problem, Rule, Ruling


@dataclass(frozen=True)
class Report:
    """The outcome of a build.

    `documents` and `refused` are lists of dictionaries with the keys that the command line prints;
    `quads` is the size of the store afterwards, `seconds` the wall time of the build.
    """

    documents: list[dict[str, Any]] = field(default_factory=list)
    refused: list[dict[str, str]] = field(default_factory=list)
    quads: int = 0
    seconds: float = 0.0


def problem_summary(problem: Problem) -> dict[str, Any]:
    """Return one problem of a source as plain values."""
    return {
        "code": problem.code,
        "severity": problem.severity.value,
        "message": problem.message,
        "subject": problem.subject,
        "line": problem.first_line,
    }


def document_summary(document: Document, source: str) -> dict[str, Any]:
    """Return the counts of one document.

    `lines` are the non-blank ones; `references` counts occurrences, in notes and examples too. On a
    rulings site's rule pages an entry is a rule and its paragraphs are subrules, and counted as both.
    """
    entries = document.entries
    paragraphs = [*document.paragraphs, *(p for e in entries for p in e.paragraphs)]
    levels = [rule.level for rule in document.rules]
    for entry in entries:
        if entry.is_rule:
            levels.extend(["rule"] if entry.heading else [])
            levels.extend("subrule" if p.number[-1:].isalpha() else "rule" for p in entry.paragraphs)
    examples = [
        *(x for r in document.rules for x in r.examples),
        *(x for p in paragraphs for x in p.examples),
    ]
    notes = [note for e in entries for note in e.notes]
    rulings = [ruling for e in entries for ruling in e.rulings]
    units: list[Rule | Paragraph | Example | Note | Ruling] = [
        *document.rules,
        *paragraphs,
        *examples,
        *notes,
        *rulings,
    ]
    return {
        "source": source,
        "kind": document.kind.value,
        "document": document.document,
        "edition": document.edition,
        "issued": document.issued.isoformat() if document.issued else None,
        "encoding": document.encoding,
        "entries": sum(1 for e in entries if e.heading),
        "paragraphs": len(paragraphs),
        "notes": len(notes),
        "rulings": len(rulings),
        "sections": len(document.sections),
        "chapters": levels.count("chapter"),
        "rules": levels.count("rule"),
        "subrules": levels.count("subrule"),
        "examples": len(examples),
        "references": sum(len(unit.references) for unit in units),
        "lines": document.lines,
        "furniture": len(document.furniture),
        "unaccounted": len(document.unaccounted),
        "problems": [problem_summary(problem) for problem in document.problems],
    }
