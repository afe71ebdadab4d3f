"""The kinds of documents. They are not in `records`, which takes longer to import than many a query."""

from __future__ import annotations

from enum import StrEnum


class DocumentKind(StrEnum):
    """The kinds of document, as detected from their content."""

    RULINGS = "rulings page"
    PROSE = "glossary prose"
    WEB_COPY = "web copy"
    COMPREHENSIVE = "comprehensive rules"
