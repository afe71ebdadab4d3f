"""Name the kinds of documents, apart from `records`, whose import takes longer than many queries."""

from __future__ import annotations

from enum import StrEnum


class DocumentKind(StrEnum):
    """The kinds of document, as detected from their content."""

    RULINGS = "rulings page"
    PROSE = "glossary prose"
    WEB_COPY = "web copy"
    COMPREHENSIVE = "comprehensive rules"
    NUMBERED = "numbered rules"
