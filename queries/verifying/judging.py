"""Judge citations by what their numbers mean and once meant, and by the words around them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import KW_ONLY, dataclass, field, replace
from itertools import chain

from ...loaders.language.numbers import parent
from ...loaders.records import TargetKind
from ...ontology import grouped
from .citations import MARKED, SURE, Citation
from .findings import ERROR, FITS_TODAY, NOTE, STANDS, UNREAD, WARNING, Finding
from .meanings import CHAPTER, NumberMeaning, past_of
from .naming import is_heading
from .quantities import MEASURES
from .rulebook import Book, Rulebook, above, pieces, title_key
from .subjects import is_invented, number_of_now, of_sibling, said_then
from .successors import end_of, gone_rule, not_yet, obsolete, unknown, with_lost_words
from .topics import is_mechanic
from .weighing import HERE, LEAD, Words, read_words
from .wordings import OTHER, THEN, figure_at, is_by_number, long_quotations, misquoted, sentence_of, unquoted

Judged = tuple[Citation, str, Finding]


@dataclass(eq=False)
class Judge:
    """Checks citations against the rules of one edition.

    Numbers of entries are checked against `entries`. `written` is the edition that the text, or only these
    `numbers`, were written against, if known. For a program, `around` returns the text around a citation;
    quotations there are from cards, so they are not searched. Quotations that were not checked are collected
    in `unread`, citations with too few words to compare in `by_number`.
    """

    book: Book
    entries: Book | None = None
    _: KW_ONLY
    written: str = ""
    numbers: Collection[str] | None = None
    around: Callable[[Citation], str] | None = None
    unread: list[tuple[Citation, Finding]] = field(default_factory=list, init=False)
    by_number: list[Citation] = field(default_factory=list, init=False)
    _words: dict[Citation, Words] = field(default_factory=dict, init=False)
    _nearby: dict[int, list[Citation]] = field(default_factory=dict, init=False)

    def book_for(self, citation: Citation) -> Book | None:
        """Return the edition that a citation is checked against; None if no such document is loaded."""
        return self.entries if citation.kind is TargetKind.ENTRY else self.book

    def judge(self, found: Iterable[Citation]) -> list[Judged]:
        """Return a finding for each number of each citation, in order."""
        real = self._real(found)
        by_block = grouped((id(it.block), it) for it in real)
        groups = list(by_block.values())
        near = ([*chain(*groups[max(0, place - 1) : place + 2])] for place in range(len(groups)))
        self._nearby = dict(zip(by_block, near, strict=True))
        return [(it, number, self._finding_for(it, number)) for it in real for number in it.numbers]

    def _real(self, found: Iterable[Citation]) -> list[Citation]:
        """Leave out bare numbers without a name, and likely ones of no chapter; read words by the others."""
        real = [it for it in found if it.grade == SURE or self._known(it)]
        if not self.book.whole:
            return [it for it in real if not it.is_bare]
        self._words = read_words(real, self.book.topics)
        kept = [it for it in real if not it.is_bare or self._words[it].naming.name]
        if len(kept) < len(real):  # their words are those between the citations that are left
            self._words = read_words(kept, self.book.topics)
        return kept

    def _known(self, it: Citation) -> bool:
        book, meanings, number = self.book, self.book.meanings, it.numbers[0]
        if it.kind is TargetKind.SECTION:
            return title_key(it.title) in book.by_title
        if it.kind is TargetKind.ENTRY:
            return self.entries is not None and any(one in self.entries.titles for one in it.numbers)
        if any(one in book.titles for one in it.numbers):
            return True
        if it.grade < MARKED and number[-1] in MEASURES:
            return number[-1] != "f" and any(map(meanings.of, it.numbers))  # 110.5f is of a program
        chapter = number[:CHAPTER]
        return bool(meanings.of(chapter)) or (book.whole and chapter in book.titles)

    def _finding_for(self, citation: Citation, number: str) -> Finding:
        """Return the finding about a number; if one rule alone has a sentence beside it, that is `now`."""
        told, book = self._judge_number(citation, number), self.book_for(citation)
        if self.around or not isinstance(book, Rulebook) or number != citation.numbers[0]:
            return told
        if told.kind in ("gone", "moved", "stale"):
            told = with_lost_words(book, citation, number, told)
        exact = sentence_of(book, citation, self._nearby[id(citation.block)])
        if not exact or {*exact.now, *above(exact.now[0])} & {*told.now}:
            return told
        if told.kind in ("words", STANDS, "topic", "stale"):
            return exact
        message = f"{told.message}; {exact.message}"
        return replace(told, message=message, now=exact.now, fix=False, wording=exact.wording)

    def _judge_number(self, citation: Citation, number: str) -> Finding:
        book = self.book_for(citation)
        if book is None or (number not in book.titles and not book.whole):
            return Finding("not loaded", f"no loaded document contains {number}")
        is_rule = citation.kind is TargetKind.RULE
        words = self._words.get(citation)
        if is_rule and (told := self._of_the_past(citation, number, words)):
            beside = self._nearby[id(citation.block)]
            is_right = told.kind in (STANDS, "stale") and not self.around
            said = said_then(book, citation, beside, told) if is_right else ""
            self.unread += [(citation, Finding(UNREAD, THEN, quote=said))] if said else []
            return told
        if is_rule and (told := self._by_old_wording(citation, number)):
            return told
        written = self._edition_of(citation, number)
        if number not in book.titles:
            return self._absent(citation, number, written, words)
        told = None
        is_judged = is_rule and not any(book.where(number, it) for it in long_quotations(citation))
        if is_judged:
            told = self._since_written(citation, number, written, words)
        if (is_first := number == citation.numbers[0]) and not told:
            told = self._title(citation, number)
        if not told and is_judged and words:
            told = self._by_words(citation, number, words)
            told = told if told or self.around else self._of_gone_rule(number, words)
        if is_first and isinstance(book, Rulebook) and (not told or told.kind == STANDS):
            compare = self._in_program if self.around else self._by_wording
            told = compare(book, citation, words) or told
        stands = told or Finding(STANDS)
        return (stands.kind == STANDS and book.meanings.newer(number, written)) or stands

    def _in_program(self, book: Rulebook, citation: Citation, words: Words | None) -> Finding | None:
        near = self._nearby[id(citation.block)]
        if told := obsolete(book, citation) or figure_at(book, citation, near, words):
            return told
        found = of_sibling(book, citation, words) if words else None
        return replace(found, kind="sibling", severity=NOTE) if found else None  # hardly half are mistakes

    def _by_wording(self, book: Rulebook, citation: Citation, words: Words | None) -> Finding | None:
        """Compare what a text says about a rule's words with the rules."""
        beside = self._nearby[id(citation.block)]
        found = [*misquoted(book, citation, beside)]
        # Words that are only near say nothing about the others.
        near = {it.quote for it in found if it.kind == UNREAD} & citation.near
        is_told = not near.issuperset(citation.quotes)
        is_short = not long_quotations(citation)
        if ((is_short and not found) or not is_told) and (more := unquoted(book, citation, beside, words)):
            found.append(more)
        told = next((it for it in found if it.kind != UNREAD), None)
        is_title = words and words.call(citation.numbers[0]) and is_heading(citation, words.naming.name)
        self.by_number += [citation] if not found and is_by_number(book, citation, beside, words) else []
        told = told or (of_sibling(book, citation, words) if words and not (is_told or is_title) else None)
        left = (it for it in found if it.kind == UNREAD and not (told and it.message == OTHER))
        self.unread += [(citation, it) for it in left]
        return told

    def _by_old_wording(self, citation: Citation, number: str) -> Finding | None:
        """Return what became of the quoted rule, among those that have had the number."""
        book = self.book
        if not isinstance(book, Rulebook) or not book.whole or self.around:
            return None
        quoted = long_quotations(citation)
        then = next(filter(None, (book.edition_quoted(number, it) for it in quoted)), "")
        told = book.meanings.followed(number, then) if then else None
        if not told or told.kind == STANDS:
            return None
        return replace(told, message=f"these are words of {number} in {then}; {told.message}")

    def _edition_of(self, citation: Citation, number: str) -> str:
        """Return the edition that a number of a citation was written against, ``""`` if unknown."""
        if citation.edition or citation.written:
            return citation.edition or self.book.meanings.in_force(citation.written)
        return self.written if self.numbers is None or number in self.numbers else ""

    # -- numbers that do not exist ---------------------------------------------------------------

    def _absent(self, citation: Citation, number: str, written: str, words: Words | None) -> Finding:
        """Report what became of a number that the edition does not have."""
        meanings, here = self.book.meanings, self.book.name
        # Another rule that had the number says nothing of it.
        if told := meanings.lost(number) or meanings.followed(number, written):
            return self._named(told, words, written) if told.kind == "moved" else told
        if before := next((it for it in meanings.of(number) if it.last < here), None):
            if meanings.past(number):
                return self._gone(citation, number, words)
            return Finding("gone", *meanings.gone(number, before.last))
        if told := meanings.came_later(number):
            return told
        if written > here:
            return Finding("newer", f"{here} does not have {number}; the text was written against {written}")
        return Finding("unknown", unknown(self.book, number, citation.is_possible))

    def _gone(self, citation: Citation, number: str, words: Words | None) -> Finding:
        """Report what a number meant; if it has meant several rules, the words beside it decide."""
        past, fix = [*{it.now: it for it in reversed(self.book.meanings.past(number))}.values()][::-1], False
        if words:
            first = words.likeliest([it.now[0] for it in past])
            past = sorted((it for it in past if it.now[0] in first), key=lambda it: first.index(it.now[0]))
            fix = len(past) == len(past[0].now) == 1 and words.name_only(first[0])
        was = "; ".join(self.book.meanings.was(number, it, it.last) for it in past)
        now = dict.fromkeys(now for it in past for now in it.now)
        whole = parent(number)
        if words and is_mechanic(whole) and words.say(whole) and not any(map(words.say, now)):
            said = f"{was}; the words around it name {words.name_for(whole)}; {end_of(self.book, whole)}"
            return Finding("topic", said, (whole,), severity=ERROR)
        return self._named(Finding("gone", was, (*now,), fix=fix), words, past[0].last)

    def _named(self, told: Finding, words: Words | None, edition: str) -> Finding:
        """Return what a number became since an edition, unless the words beside it name another rule."""
        if not words or not told.now or any(map(words.call, told.now)):
            return told
        is_moved, other = told.kind == "moved", words.misname(told.now[0])[1]
        other = other or (words.other_mechanic(told.now[0])[1] if is_moved else "")  # *Regeneration shields*
        is_doubtful = is_moved and any("." in it for it in words.topics.called(words.naming.name))
        then = self.book.meanings.number_then(other, edition) if other else ""
        if (not other and not is_doubtful) or then in words.others:  # the words are about that rule
            return told
        said = f"{told.message}; the words around it name {words.name_for(other)}"
        if then and not told.now[0].isdigit():  # a chapter is about many things
            said, told = f"{said}, then {then}, now {other}", replace(told, kind="topic", now=(other,))
        return replace(told, message=said, fix=False)

    # -- what a number meant ---------------------------------------------------------------------

    def _since_written(
        self, citation: Citation, number: str, written: str, words: Words | None
    ) -> Finding | None:
        """Return whether a number means another rule than when written; fitting words only add to it."""
        told = self.book.meanings.followed(number, written) if written < self.book.name else None
        if not told or told.kind == STANDS:
            return None
        targets = told.now if told.kind == "moved" else ()
        verdict, lead = words.fits(number, targets[0]) if words and targets else ("", 0.0)
        is_open = words and targets and not verdict and not citation.written
        if words and is_open and (lead <= -LEAD or words.hint_at(number, targets)):
            verdict = HERE
        if verdict == HERE and citation.written:  # people who correct a number often leave the date beside it
            return None
        message, severity = f"{told.message}; {self._means(number)}", ERROR if verdict == ERROR else WARNING
        told = replace(told, kind="moved", message=message, severity=severity)
        if verdict == HERE and words and not any(map(words.say, targets)):
            return replace(told, message=f"{message}{FITS_TODAY}", fix=False)
        return self._named(told, words, written) if targets else told

    def _by_words(self, citation: Citation, number: str, words: Words) -> Finding | None:
        """Compare the words beside a number with what it means, and with what it meant."""
        if words.call(number):
            return None
        latest: dict[str, NumberMeaning] = {}  # the latest first, which counts of equals
        for it in self.book.meanings.past(number):
            latest.setdefault(it.now[0], it)
        named = [it for it in latest if words.call(it)]  # before what its neighbours are about
        told = [(*words.fits(number, target), target) for target in named or latest]
        means, is_one = self._means(number), len(citation.numbers) == 1
        grades = (ERROR, WARNING) if is_one else (ERROR,)
        if sure := next(filter(None, ([it for it in told if it[0] == grade] for grade in grades)), None):
            verdict, _, target = max(sure, key=lambda it: it[1])
            if is_gone := self._of_gone_rule(number, words, latest[target]):
                return replace(is_gone, severity=verdict)
            called, last = self._called(target), latest[target].last
            # Two rules of one chapter may have one title.
            which = "the rule that is now" if called in means else f"{called}, which is now"
            fix = is_one and verdict == ERROR and len(sure) == 1 and words.mean_clearly(number, target)
            said = f"until {last} {number} was {which} {target}; {self._means(number, target)}"
            return Finding("stale", said, (target,), "", verdict, fix)
        if not is_one:  # words are about one part of a range, but a name is that of all
            return None
        verdict, other = words.misname(number)
        if verdict and self.around and words.naming.name.islower():  # programs say *counter* of anything
            verdict = WARNING
        if not other:
            verdict, other = words.other_mechanic(number)
        code = self.around(citation) if self.around and not words.naming.name else ""
        if other and not self.book.topics.are_in_one_name(number, other, code):
            means = self._means(number, other)
            if before := next((it.last for it in latest.values() if other in it.now), ""):
                means = f"until {before} {number} was the rule that is now {other}; {means}"
            message = f"{means}; the words around it name {words.name_for(other)}, {other}"
            return Finding("topic", message, (other,), severity=verdict)
        is_silent = self.around and words.are_silent(number, self.around(citation))
        return Finding("topic", f"{means}, but nothing around it mentions that") if is_silent else None

    def _of_gone_rule(self, number: str, words: Words, other: NumberMeaning | None = None) -> Finding | None:
        told = gone_rule(self.book, number, words, other)
        return replace(told, message=f"{told.message}; {self._means(number)}") if told else None

    def _of_the_past(self, citation: Citation, number: str, words: Words | None) -> Finding | None:
        """Judge a number that the text itself says is from older rules; None if it is judged like others."""
        past, meanings, old = past_of(citation), self.book.meanings, self.book.then
        if not past or not meanings.of(number):
            return None
        is_of_now = bool(words and words.call(number))
        days = meanings.during(past.first, past.last)
        held = [it for it in meanings.of(number) if any(it.first <= day <= it.last for day in days)]
        then = [it for it in held if number not in it.now]
        if words and past.last and not past.firm and number in self.book.titles:
            is_of_now |= any(it.now and words.fits(number, it.now[0])[0] == HERE for it in then)
        if not held and past.last and days and (past.firm or not is_of_now):
            severity = WARNING if number in self.book.titles else ERROR
            return Finding("unknown", f"{days[-1]} does not have {number}", severity=severity)
        if not then or is_of_now:
            is_early = past.firm and past.last and days and then == held
            return not_yet(self.book, number, words, then, days[-1]) if words and is_early else None
        named = next((it for it in then if it.now and words and words.call(it.now[0])), None)
        named = named or next((it for it in then if words and words.fit_only(old(number, it), number)), None)
        it = named or then[0]
        was = self.book.meanings.was(number, it, min(it.last, days[-1]))
        told = self._named(Finding(STANDS, was, it.now, severity=WARNING), words, it.last)
        if told.kind == "topic":
            return told
        beside = self._nearby[id(citation.block)]
        if not past.last and (apart := number_of_now(self.book, citation, then, beside)):
            return Finding("topic", f"{was}, not {apart}", it.now)
        is_right = named or past.last or (past.firm and number not in self.book.titles)
        is_dated = past.last and not past.firm  # right then, and not about today
        told = Finding("stale", was, it.now, severity=NOTE) if is_dated else Finding(STANDS, was, it.now)
        return told if is_right else None

    def _called(self, number: str) -> str:
        return f"“{title}”" if (title := self.book.topics.title(number)) else "another rule"

    def _means(self, number: str, other: str = "") -> str:
        """Return what a number means, by its title; by its first words if another rule has the same title.

        The title of a whole chapter says too little about a rule in it.
        """
        title = next(iter(self.book.titles_of(number)), "")
        of_chapter = "." in number and title == self.book.titles.get(number.partition(".")[0])
        if of_chapter or (other and title in self.book.titles_of(other)):
            title = self.book.opening(number) or title
        return f"{number} is “{title}” in {self.book.name}" if title else f"{number} is now another rule"

    # -- titles ----------------------------------------------------------------------------------

    def _title(self, citation: Citation, number: str) -> Finding | None:
        """Compare a title in quotes after a number with the titles of the rule and what it is part of."""
        book, quoted = self.book, citation.title
        own = book.titles_of(number)
        if not (quoted and own) or title_key(quoted) in map(title_key, own):
            return Finding(STANDS) if quoted and own else None
        others = tuple(book.by_title.get(title_key(quoted), ()))
        if book.where(number, pieces(quoted)) or not (others or is_invented(book, number, quoted)):
            return None
        if past := [it for it in book.meanings.past(number) if {*it.now, *above(it.now[0])} & {*others}]:
            was = f"until {past[0].last} {number} was “{quoted}”, which is now {past[0].now[0]}"
            fix = len({it.now for it in past}) == len(past[0].now) == 1
            return Finding("stale", f"{was}; {self._means(number)}", past[0].now, quoted, fix=fix)
        severity = ERROR if others else WARNING
        return Finding("topic", f"the title of {number} is “{own[0]}”", others[:5], quoted, severity)
