"""Write findings as text, JSON, SARIF for code scanning, and annotations for GitHub Actions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from os import fsencode
from pathlib import PurePath
from urllib.parse import quote

from ...ontology import grouped
from ..verifying.findings import ERROR, KINDS, NOTE, WARNING
from .cite import CitationReport
from .settings import COLUMNS, Flag

FORMATS = ("text", "json", "sarif", "github")

_DOCS = "https://w3id.org/rulesgraph/docs/"
_HELP = f"{_DOCS}guides/engine.html#comments-that-cite-rules"

_GITHUB = {ERROR: "error", WARNING: "warning", NOTE: "notice"}

_MOST_RESULTS, _MOST_PLACES = 5_000, 100
"""GitHub shows 5,000 results of an upload and 100 places of each; the rest is summed up by number."""

_WIDEST = 160


def written(report: CitationReport, form: str) -> str:
    """Return the findings in one of `FORMATS`."""
    writers: dict[str, Callable[[CitationReport], str]] = {
        "text": _text,
        "json": lambda it: _json([dict(zip(COLUMNS, flag.row, strict=True)) for flag in it.flags]),
        "sarif": lambda it: _json(sarif(it)),
        "github": _annotations,
    }
    return writers[form](report)


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _text(report: CitationReport) -> str:
    lines = []
    for it in report.flags:
        site = it.site
        now = f" → {', '.join(it.finding.now)}" if it.finding.now else ""
        severity = it.finding.severity
        lines.append(
            f"{site.path}:{site.line}:{site.column}: {severity}: {it.number}{now} [{it.finding.kind}] "
            f"{it.finding.message}"
        )
        if site.line_text.strip():
            lines += _marked(site.line_text, site.column - 1, site.end - site.start)
    return "\n".join(lines) + "\n" if lines else ""


def _marked(line: str, at: int, length: int) -> Iterator[str]:
    """Yield a line and, below it, carets under the part that counts; long lines are cut to that part."""
    first = max(0, at - _WIDEST // 2) if len(line) > _WIDEST else 0
    shown = line[first : first + _WIDEST].expandtabs(1)
    yield f"    {shown}"
    yield f"    {' ' * (at - first)}{'^' * max(1, min(length, len(shown) - at + first))}"


def _annotations(report: CitationReport) -> str:
    """Return a workflow command for each finding, as GitHub Actions reads them."""
    lines = []
    for it in report.flags:
        place = f"file={_escaped(it.site.path, ':,')},line={it.site.line},col={it.site.column}"
        title = f"{it.number or 'ignore'} {it.finding.kind}"
        lines.append(
            f"::{_GITHUB[it.finding.severity]} {place},title={_escaped(title, ':,')}::{_escaped(_told(it))}"
        )
    return "\n".join(lines) + "\n" if lines else ""


def _told(it: Flag) -> str:
    now = f" See {', '.join(it.finding.now)}." if it.finding.now else ""
    return f"{it.finding.message}.{now}"


def _escaped(text: str, also: str = "") -> str:
    for sign in ("%", "\r", "\n", *also):
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text


def sarif(report: CitationReport) -> dict[str, object]:
    """Return the findings as a SARIF 2.1.0 log, within GitHub's limits."""
    kinds = list(KINDS)
    groups: Iterable[list[Flag]] = ([it] for it in report.flags)
    if len(report.flags) > _MOST_RESULTS:
        groups = grouped(((it.number, it.finding.kind), it) for it in report.flags).values()
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "rulesgraph",
                        "informationUri": _DOCS,
                        "rules": [
                            {"id": kind, "shortDescription": {"text": text}, "helpUri": _HELP}
                            for kind, (_, text) in KINDS.items()
                        ],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "properties": {"edition": report.edition, "summary": report.summary},
                "results": [_result(group, kinds) for group in groups][:_MOST_RESULTS],
            }
        ],
    }


def _result(group: list[Flag], kinds: list[str]) -> dict[str, object]:
    first = group[0]
    finding = first.finding
    several = f" ({len(group)} places)" if len(group) > 1 else ""
    return {
        "ruleId": finding.kind,
        "ruleIndex": kinds.index(finding.kind),
        "level": finding.severity,
        "message": {"text": f"{first.number}: {_told(first)}{several}"},
        "locations": [_place(it) for it in group[:_MOST_PLACES]],
        "partialFingerprints": {"rulesgraphCitation/v1": first.sign},
    }


def _place(it: Flag) -> dict[str, object]:
    path = PurePath(it.site.path)
    uri = path.as_uri() if path.is_absolute() else quote(fsencode(path.as_posix()))
    region = {"startLine": it.site.line, "startColumn": it.site.column}
    end = it.site.column + it.site.end - it.site.start
    if end <= len(it.site.line_text) + 1:  # it ends on the same line
        region["endColumn"] = end
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}
