"""Judge citations by the rules of one edition, and by what other editions know of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...loaders.history.lives import bundled_lives
from ...loaders.records import TargetKind
from ...ontology.query_files import literal
from ..history.links import timeline
from ..session import Session
from .citations import Citation
from .pasts import STANDS, Finding, Pasts, found_for
from .rulebook import Rulebook, above, pieces, title_key, word_count

_FEWEST_WORDS = 3
"""Fewer quoted words are a name, or somebody's own manner of speaking."""

Judged = tuple[Citation, str, Finding]

_CHAPTER = 3
"""How many digits the number of a chapter has; those of sections have less."""


class Judge:
    """Holds citations against the rules of one edition, and asks the others where something is wrong."""

    def __init__(self, session: Session, book: Rulebook, entries: Rulebook | None) -> None:
        self._session = session
        self._book = book
        self._entries = entries

    def book_for(self, citation: Citation) -> Rulebook | None:
        """Return what a citation is held against; None where nothing of its kind is loaded."""
        return self._entries if citation.kind is TargetKind.ENTRY else self._book

    def judge(self, found: Iterable[Citation]) -> list[Judged]:
        """Return a finding for each number of each citation, in their order."""
        found = list(found)
        absent = {
            number
            for it in found
            for number in it.numbers
            if (book := self.book_for(it)) is None or number not in book.items
        }
        self._others = found_for(self._session, "anywhere", "number", map(literal, sorted(absent)))
        real = self._real(found)
        judged = [(it, number, self._one(it, number)) for it in real for number in it.numbers]
        return self._settled(judged)

    def _real(self, found: Sequence[Citation]) -> list[Citation]:
        """Leave out what only looks like a citation: a likely one whose number no edition ever had.

        In a text that cites rules for sure, a letter too much still is a citation.
        """
        about_rules = any(it.sure for it in found) or sum(map(self._known, found)) > 1
        return [
            it
            for it in found
            if it.sure
            or self._known(it)
            or (about_rules and it.numbers[0][-1].isalpha() and self._is_part_of_known(it))
        ]

    def _known(self, it: Citation) -> bool:
        if it.kind is TargetKind.SECTION:
            return bool(self._book.titled(it.title))
        book = self.book_for(it)
        known = (self._others, book.items if book else {})
        # A number without a letter, of editions that nobody here has, is as likely a price or a length.
        return any(
            any(number in them for them in known)
            or (number[-1].isalpha() and number in bundled_lives().numbers)
            for number in it.numbers
        )

    def _is_part_of_known(self, it: Citation) -> bool:
        book = self.book_for(it)
        return book is not None and any(one in book.items for one in above(it.numbers[0]) if len(one) > 3)

    def _one(self, citation: Citation, number: str) -> Finding:
        book = self.book_for(citation)
        if book is None or (number not in book.items and not book.whole):
            return Finding("not loaded", f"no loaded document contains {number}")
        if number not in book.items:
            quoted = citation.title or next(iter(citation.quotes), "")
            return Finding("unknown", self._unknown(book, number), quote=quoted)
        if number != citation.numbers[0]:
            return Finding(STANDS)
        return self._title(book, citation) or self._words(book, citation) or Finding(STANDS)

    @staticmethod
    def _unknown(book: Rulebook, number: str) -> str:
        if number.isdigit() and len(number) < _CHAPTER:
            sections = [one for one in book.items if one.isdigit() and len(one) < _CHAPTER]
            last = f"; the last section is {max(sections, key=int)}" if sections else ""
            return f"no loaded edition has a section {number}{last}"
        near = next((one for one in above(number) if one in book.items), "")
        last = book.last_part(near) if near else ""
        hint = f"; {near} ends with {last}" if last else f"; {near} has no parts" if near else ""
        return f"no loaded edition has {number}{hint}"

    @staticmethod
    def _title(book: Rulebook, citation: Citation) -> Finding | None:
        number = citation.numbers[0]
        own = book.titles_of(number)
        if not own:
            return None
        plain = citation.plain_title
        quoted = citation.title or (plain if plain and book.titled(plain) else "")
        if not quoted or title_key(quoted) in map(title_key, own) or book.where(number, pieces(quoted)):
            return None
        untitled = "" if book.items[number].title else f"{number} has no title, and "
        whose = "what it is part of" if untitled else number
        message = f"{untitled}the title of {whose} is “{own[0]}”"
        return Finding("title", message, book.titled(quoted)[:5], quoted)

    @staticmethod
    def _words(book: Rulebook, citation: Citation) -> Finding | None:
        for quote in citation.quotes:
            parts = pieces(quote)
            if word_count(parts) < _FEWEST_WORDS:
                continue
            if not any(book.where(number, parts) for number in citation.numbers):
                here = ", ".join(citation.numbers[:2])
                message = f"these words are not in {here}"
                return Finding("words", message, book.anywhere(parts)[:5], quote)
        return None

    def _settled(self, judged: list[Judged]) -> list[Judged]:
        """Say what the history of the rules knows of numbers and words that are not there."""
        doubtful = [
            it for it in judged if it[2].kind in {"unknown", "title", "words"} and self._traced(it[0])
        ]
        if not doubtful:
            return judged
        pasts = Pasts(self._session, self._book, timeline(self._session), self._others)
        settled = dict(
            zip(map(id, doubtful), pasts.settle([(number, it) for _, number, it in doubtful]), strict=True)
        )
        return [(it[0], it[1], settled.get(id(it), it[2])) for it in judged]

    def _traced(self, citation: Citation) -> bool:
        return self._book.whole and citation.kind is TargetKind.RULE
