"""The kinds of document, apart from the records: these take longer to import than many a question."""

from __future__ import annotations

from enum import StrEnum


class DocumentKind(StrEnum):
    """The kinds of document, as detected from their content."""

    RULINGS = "rulings page"
    PROSE = "glossary prose"
    WEB_COPY = "web copy"
    COMPREHENSIVE = "comprehensive rules"
