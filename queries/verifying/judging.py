"""Judge citations by what their numbers mean and have ever meant, and by the words around them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from itertools import chain

from ...loaders.records import TargetKind
from ...ontology.grouping import grouped
from .citations import MEASURES, Citation
from .meanings import CHAPTER, Meanings, NumberMeaning, past_of
from .rulebook import Book, Rulebook, above, pieces, title_key
from .topics import Topics
from .weighing import (
    ERROR,
    HERE,
    NOTE,
    STANDS,
    WARNING,
    Finding,
    Words,
    clearly,
    fits,
    hints,
    is_named,
    is_unspoken,
    likeliest,
    misnamed,
    other_mechanic,
    read_words,
    same_topic,
)
from .wordings import altered, copied, has_words_of, misfigured, misquoted

_BRACKET = re.compile(r",? ?[(\[,]\W?(?:[a-z]+ ){1,3}")
"""What is between a number and its former one: *704.5 (formerly 420.5)*."""

Judged = tuple[Citation, str, Finding]


@dataclass(eq=False)
class Judge:
    """Checks citations against the rules of one edition.

    Numbers of entries are checked against `entries`. `meanings` is None if that is not one of the
    comprehensive rules; then only its numbers are known. `written` is the edition that the text was written
    against, if known, or of which these `numbers` are. For a program, `around` returns the text around a
    citation; the words quoted there are those of cards and are not searched.
    """

    book: Book
    entries: Book | None
    meanings: Meanings | None
    topics: Topics | None
    _: KW_ONLY
    written: str = ""
    numbers: Collection[str] | None = None
    around: Callable[[Citation], str] | None = None
    _words: dict[int, Words] = field(default_factory=dict, init=False)
    _nearby: dict[int, list[Citation]] = field(default_factory=dict, init=False)

    def book_for(self, citation: Citation) -> Book | None:
        """Return the edition that a citation is checked against; None if nothing of its kind is loaded."""
        return self.entries if citation.kind is TargetKind.ENTRY else self.book

    def judge(self, found: Iterable[Citation]) -> list[Judged]:
        """Return a finding for each number of each citation, in order."""
        found = list(found)
        if self.meanings:
            self.meanings.read(number for it in found for number in (*it.numbers, it.numbers[0][:CHAPTER]))
        real = self._real(found)
        by_passage = grouped((id(it.passage), it) for it in real)
        groups = list(by_passage.values())
        near = ([*chain(*groups[max(0, place - 1) : place + 2])] for place in range(len(groups)))
        self._nearby = dict(zip(by_passage, near, strict=True))
        return [(it, number, self._one(it, number)) for it in real for number in it.numbers]

    def _real(self, found: Sequence[Citation]) -> list[Citation]:
        """Leave out apparent citations, and read the words beside the others.

        These are likely ones of a chapter that no edition ever had, and bare numbers without a name.
        """
        known = [it for it in found if it.sure or self._known(it)]
        self._words = read_words(known, self.topics) if self.topics else {}
        real = [it for it in known if not it.bare or (self.topics and self._words[id(it)].naming.name)]
        if self.topics and len(real) < len(known):
            self._words = read_words(real, self.topics)
        return real

    def _known(self, it: Citation) -> bool:
        if it.kind is TargetKind.SECTION:
            return bool(self.book.titled(it.title))
        if it.kind is TargetKind.ENTRY:
            return self.entries is not None and any(number in self.entries.titles for number in it.numbers)
        if any(number in self.book.titles for number in it.numbers):
            return True
        if not it.marked and it.numbers[0][-1:] in MEASURES:
            if it.numbers[0].endswith("f"):
                return False  # a number of a program: 110.5f
            return self.meanings is not None and any(self.meanings.of(number) for number in it.numbers)
        chapter = it.numbers[0][:CHAPTER]
        known = self.meanings is not None and bool(self.meanings.of(chapter))
        return known or (self.book.whole and chapter in self.book.titles)

    def _one(self, citation: Citation, number: str) -> Finding:
        book = self.book_for(citation)
        if book is None or (number not in book.titles and not book.whole):
            return Finding("not loaded", f"no loaded document contains {number}")
        if told := self._of_the_past(citation, number):
            return told
        if number not in book.titles:
            return self._absent(citation, number, self._edition_of(citation, number))
        told = None
        is_quoted = isinstance(book, Rulebook) and has_words_of(book, citation, number)
        if self.meanings and citation.kind is TargetKind.RULE and not is_quoted:
            told = self._since_written(self.meanings, citation, number)
        if not told and number == citation.numbers[0]:
            told = self._title(citation, number)
        if not told and self.meanings and citation.kind is TargetKind.RULE and not is_quoted:
            told = self._by_words(self.meanings, citation, number)
        is_first = number == citation.numbers[0] and not self.around
        if is_first and (not told or told.kind == STANDS) and isinstance(book, Rulebook):
            beside = self._nearby[id(citation.passage)]
            if self.topics and not citation.quotes:
                told = copied(book, self.topics, citation, beside) or altered(book, citation) or told
                told = told or misfigured(book, citation)
            else:
                told = misquoted(book, self.topics, citation, beside) or told
        return told or Finding(STANDS)

    def _edition_of(self, citation: Citation, number: str) -> str:
        """Return the edition that a number of a citation was written against, ``""`` if unknown."""
        if citation.written and self.meanings:
            return self.meanings.in_force(citation.written)
        return self.written if self.numbers is None or number in self.numbers else ""

    # -- numbers that do not exist ---------------------------------------------------------------

    def _absent(self, citation: Citation, number: str, written: str) -> Finding:
        """Report what became of a number that the edition does not have."""
        meanings, here = self.meanings, self.book.name
        then = meanings.at(number, written) if meanings and written else None
        if meanings and then and then.now:
            return Finding("moved", self._was(number, then, written), then.now, fix=len(then.now) == 1)
        if meanings and (before := meanings.last_before(number)):
            if before.now:
                return self._gone(meanings, citation, number)
            return Finding("gone", *meanings.gone(number, before.last))
        if meanings and (later := meanings.first_after(number)):
            message = f"{number} is newer than {here}: it came with {later.first}"
            return Finding("newer", message, later.now, severity=NOTE)
        if written > here:
            message = f"{here} does not have {number}, and the text was written against {written}"
            return Finding("newer", message, severity=NOTE)
        return Finding("unknown", self._unknown(number))

    def _gone(self, meanings: Meanings, citation: Citation, number: str) -> Finding:
        """Report what a number meant, by the words beside it if it meant several rules in turn."""
        words, topics = self._words.get(id(citation)), self.topics
        past = [*{it.now: it for it in reversed(meanings.past(number))}.values()][::-1]
        fix = False
        if words and topics:
            first = likeliest(topics, words, [it.now[0] for it in past])
            past = sorted((it for it in past if it.now[0] in first), key=lambda it: first.index(it.now[0]))
            is_only = len(past) == len(past[0].now) == len(citation.numbers) == 1
            fix = is_only and is_named(topics, words, first[0])
        was = "; ".join(self._was(number, it) for it in past)
        now = tuple(dict.fromkeys(now for it in past for now in it.now))
        return Finding("gone", was, now, fix=fix)

    def _was(self, number: str, meaning: NumberMeaning, edition: str = "") -> str:
        now = f"{', '.join(meaning.now)} in {self.book.name}" if meaning.now else "gone"
        return f"{number} of {edition or meaning.last} is {now}"

    def _unknown(self, number: str) -> str:
        if number.isdigit() and len(number) < CHAPTER:
            sections = [it for it in self.book.titles if it.isdigit() and len(it) < CHAPTER]
            last = f"; the last section is {max(sections, key=int)}" if sections else ""
            return f"no edition has section {number}{last}"
        near = next((one for one in above(number) if one in self.book.titles), "")
        last = self.book.last_part(near) if near else ""
        near = f"section {near}" if 0 < len(near) < CHAPTER else near
        hint = f"; {near} ends at {last}" if last else f"; {near} has no parts" if near else ""
        return f"no edition has rule {number}{hint}"

    # -- what a number meant ---------------------------------------------------------------------

    def _since_written(self, meanings: Meanings, citation: Citation, number: str) -> Finding | None:
        """Return whether a number means another rule than when written, unless it was corrected since."""
        words, topics = self._words.get(id(citation)), self.topics
        written = self._edition_of(citation, number)
        then = meanings.at(number, written) if written < self.book.name else None
        if not then or number in then.now:
            return None
        verdict = ""
        if topics and words and then.now:
            verdict = fits(topics, words, number, then.now[0])[0]
            if not verdict and not citation.written and hints(topics, words, number, then.now):
                verdict = HERE
        if verdict == HERE:
            return None
        told = self._moved(number, written, then, ERROR if verdict == ERROR else WARNING)
        name = words.naming.name if words and then.now else ""
        if not topics or not words or not any("." in it for it in topics.called(name)):
            return told
        if topics.is_of(name, then.now[0]):
            return told
        message = f"{told.message}; the words around it name “{name}”"
        if other := misnamed(topics, words, then.now[0])[1]:
            return Finding("topic", f"{message}, {other}", (other,), severity=WARNING)
        return told._replace(message=message, fix=False)

    def _by_words(self, meanings: Meanings, citation: Citation, number: str) -> Finding | None:
        """Compare the words beside a number with what it means, and with what it meant."""
        words, topics = self._words.get(id(citation)), self.topics
        if not topics or not words or len(citation.numbers) > 1 or topics.is_of(words.naming.name, number):
            return None
        latest: dict[str, NumberMeaning] = {}
        for it in meanings.past(number):
            latest.setdefault(it.now[0], it)
        told = [(*fits(topics, words, number, target), target) for target in latest]
        sure = [it for it in told if it[0] == ERROR] or [it for it in told if it[0] == WARNING]
        if sure:
            verdict, _, target = max(sure, key=lambda it: it[1])
            was = f"until {latest[target].last} {number} was {self._called(target)}, which is now {target}"
            if self._called(target) in self._means(number):  # two rules of one chapter
                was = f"until {latest[target].last} {number} was the rule that is now {target}"
            fix = verdict == ERROR and len(sure) == 1 and clearly(topics, words, number, target)
            return Finding("stale", f"{was}; {self._means(number)}", (target,), "", verdict, fix)
        verdict, other = misnamed(topics, words, number)
        name = f"“{words.naming.name}”"
        if verdict and self.around and words.naming.name.islower():  # programs say *counter* of anything
            verdict = WARNING
        if not other:
            verdict, other = other_mechanic(topics, words, number)
            name = self._called(other)
        if other:
            message = f"{self._means(number)}; the words around it name {name}, {other}"
            return Finding("topic", message, (other,), severity=verdict)
        if self.around and is_unspoken(topics, words, number, self.around(citation)):
            message = f"{self._means(number)}, but nothing around it mentions that"
            return Finding("topic", message, severity=WARNING)
        return None

    def _of_the_past(self, citation: Citation, number: str) -> Finding | None:
        """Judge a number that the text itself calls one of older rules; None if it is judged like others."""
        meanings, words, topics = self.meanings, self._words.get(id(citation)), self.topics
        past = past_of(citation) if meanings and citation.kind is TargetKind.RULE else None
        if not meanings or not past or not meanings.of(number):
            return None
        name = words.naming.name if words else ""
        is_of_now = bool(name and topics and topics.is_of(name, number))
        days = meanings.during(past.first, past.last)
        held = [it for it in meanings.of(number) if any(it.first <= day <= it.last for day in days)]
        then = [it for it in held if number not in it.now]
        if not held and past.last and days and (past.firm or not is_of_now):
            severity = WARNING if number in self.book.titles else ERROR
            return Finding("unknown", f"{days[-1]} does not have {number}", severity=severity)
        if not then or is_of_now:
            return None
        it = next((it for it in then if it.now and topics and topics.is_of(name, it.now[0])), None)
        fits, it = it is not None, it or then[0]
        was = self._was(number, it, min(it.last, days[-1]))
        other = misnamed(topics, words, it.now[0])[1] if it.now and topics and words and not fits else ""
        if other:
            message = f"{was}; the words around it name “{name}”, {other}"
            return Finding("topic", message, (other,), severity=WARNING)
        if not past.last and (apart := self._is_not_now(citation, then)):
            return Finding("topic", f"{was}, not {apart}", it.now, severity=WARNING)
        return Finding(STANDS, was, it.now) if fits or past.last or number not in self.book.titles else None

    def _is_not_now(self, citation: Citation, then: Sequence[NumberMeaning]) -> str:
        """Return the number directly before one in brackets, if it is of another topic than that became."""
        text = citation.passage.text
        for other in self._nearby[id(citation.passage)]:
            is_before = other.passage is citation.passage and other.numbers[0] in self.book.titles
            if is_before and _BRACKET.fullmatch(text, other.end, citation.start):
                became = [now for it in then for now in it.now]
                if became and not any(same_topic(one, now) for one in other.numbers for now in became):
                    return other.numbers[0]
        return ""

    def _moved(self, number: str, written: str, then: NumberMeaning, verdict: str) -> Finding:
        """Report where the rule is that a number meant in the edition which the text was written against."""
        assert self.meanings
        was = f"{number} of {written} is"
        if then.now:
            message = f"{was} {', '.join(then.now)} in {self.book.name}; {self._means(number)}"
            return Finding("moved", message, then.now, "", verdict, len(then.now) == 1)
        more, now = self.meanings.after_removal(number, written)
        return Finding("moved", f"{was} gone{more}; {self._means(number)}", now, severity=WARNING)

    def _called(self, number: str) -> str:
        title = self.topics.title(number) if self.topics else ""
        return f"“{title}”" if title else "another rule"

    def _means(self, number: str) -> str:
        title = next(iter(self.book.titles_of(number)), "")
        return f"{number} is “{title}” in {self.book.name}" if title else f"{number} is now another rule"

    # -- titles and quotations -------------------------------------------------------------------

    def _title(self, citation: Citation, number: str) -> Finding | None:
        """Compare a title in quotes after a number with those of the rule and its wholes."""
        book = self.book
        own = book.titles_of(number)
        quoted = citation.title
        others = book.titled(quoted) if quoted and own else ()
        if not others:
            return None
        if title_key(quoted) in map(title_key, own):
            return Finding(STANDS)
        if isinstance(book, Rulebook) and book.where(number, pieces(quoted)):
            return None
        known = self.meanings.past(number) if self.meanings else []
        past = [it for it in known if {*it.now, *above(it.now[0])} & {*others}]
        if past:
            was = f"until {past[0].last} {number} was “{quoted}”, which is now {past[0].now[0]}"
            fix = len({it.now for it in past}) == len(past[0].now) == 1
            return Finding("stale", f"{was}; {self._means(number)}", past[0].now, quoted, ERROR, fix)
        return Finding("topic", f"the title of {number} is “{own[0]}”", others[:5], quoted)
