"""Compare words with the rules: quoted beside a citation, or copied without quotation marks."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from .citations import Citation
from .claims import cut_list, has_values_of, other_figure, other_kind
from .denials import BE, VERBS, contrary, denies, is_bounded_like, tokens_of
from .findings import UNREAD, WORDS_OF, Finding
from .nearness import FEWEST_WORDS
from .opposites import JOINS, altered, contrary_word, has_contrary, words_and_figures
from .quotations import UnclearQuotation
from .rulebook import Book, Rulebook, above, folded, holds, pieces, word_count
from .subjects import EDGE, called, cites, elsewhere, said_at, said_by
from .successors import obsolete, reworded
from .topics import Stems
from .weighing import Words

_FEWEST_COPIED = 10
"""Fewer words than this occur in many rules."""

_LIKE, ALMOST, _COPIED, _WHOLE, _CLEARLY = 50, 75, 88, 97, 15
"""How similar texts must be, in percent: to be the right wording; to be meant as it; to be nearly the same,
or the same except for punctuation; and the lead that another rule needs."""

SHORT = "words that the rule does not have, too few to say that it is misquoted"
UNLIKE = "words that are not like those of the rule, and may not be quoted from it"
OTHER = "words that differ from the rule’s, and may only put it another way"
LESS = "words that end where the rule’s sentence goes on with a condition or a choice"
FORMER = "words that the rule had in an older edition, but no longer has"
THEN = "words about older rules, which are not compared with these"
UNCLEAR = "no rule cited beside these words has them, and it is not clear whose they are"

_COPIED_WORDS = 0.8
"""The share of its words that a rule must have to be compared with a text that is not quoted."""

_FEWEST_TOLD = 3
"""A text with fewer telling words says nothing about a rule."""

_FARTHEST_APART = 1.5
"""How many telling words a rule may have for each one in a text with almost the same words."""

_AROUND, _FEWEST_AROUND = 50, 6
"""The number of characters on one side of a citation, and of words in them, that show a copied rule."""

_CONTEXT = 20

_SHOWN = 6
"""The number of words to show of the rest of a sentence."""

_LIMITS = frozenset("and/or or unless except if until while during with without other".split())
"""Words after which a sentence says when or of what it is true."""

_ENDED = re.compile(r"(?<![.…\]])[.!]\W*$")
"""Matches the end of a quoted sentence, without a mark for words left out before it."""

_LISTED = re.compile(r"(?:[)\]]\s?[(\[])?[^.)\]]*")


def misquoted(book: Rulebook, citation: Citation, beside: Sequence[Citation]) -> Iterator[Finding]:
    """Report words quoted at a citation that are in none of its rules, nor in one cited `beside` it.

    If the citation signs the words, only the rest of its list may have them. Not checked are quotations that
    are too short or like no rule and, if only nearness connects them with this rule, those that are not
    nearly its words.
    """
    topics, text, end = book.topics, citation.block.text, citation.end
    if citation.signed:
        beside = [
            it for it in beside if it.block is citation.block and _LISTED.fullmatch(text, end, it.start)
        ]
    for quote in dict.fromkeys(citation.quotes):
        parts = pieces(quote)
        if having := next(filter(None, (book.where(it, parts) for it in citation.numbers)), ""):
            ends = _ENDED.search(quote) and word_count(parts) >= FEWEST_WORDS and quote.lstrip()[:1].isupper()
            if ends and (cut := _cut(book, having, parts)):
                message = f"these words end with a full stop where {having} goes on: “{cut[0]}”"
                yield Finding("words", message, quote=quote, wording=cut[1])
            continue
        if word_count(parts) < FEWEST_WORDS:
            yield _unread(SHORT, quote)
            continue
        held = book.anywhere(parts)
        others = {number for it in beside if not it.quotes or quote in it.quotes for number in it.numbers}
        if any(others & {it, *above(it)} for it in held):
            continue
        entry = "" if held else book.entry_with(parts)
        if entry and any(topics.is_of(entry, it) for it in citation.numbers):
            continue
        other = None if held else _other(book, citation.numbers, quote)
        held = other[:1] if other else held[:5]
        own = _rules_at(book, citation)
        likeness, _, wording = book.nearest(quote, held or own)
        if not topics.like(quote) or (quote in citation.near and likeness < ALMOST):
            yield _unread(UNLIKE, quote)
            continue
        wording = wording if likeness >= _LIKE else ""
        message = f"these words are not in {called(citation)}"
        if entry:
            message = f"these are words of “{entry}” in the glossary, not of {called(citation)}"
        elif not held and (then := next(filter(None, (book.formerly(it, parts) for it in own)), "")):
            message += f"; this is the wording of {then}"
        yield Finding("words", message, held, quote, wording=wording)


def _cut(book: Rulebook, number: str, parts: tuple[str, ...]) -> tuple[str, str] | None:
    """Return the rest of the sentence of a rule that quoted words begin but do not end, and the sentence.

    Returns None if they also stand at the end of a sentence, or begin within one.
    """
    found: tuple[str, str] | None = None
    for text in book.sentences(number):
        plain = folded(text)
        begins = plain.strip(EDGE).startswith(parts[0])
        rest = plain.rpartition(parts[-1])[2].strip(EDGE) if begins and holds(plain, parts) else ""
        if begins and holds(plain, parts) and not re.search(r"\w", rest):
            return None
        if rest and not found:
            left = text.strip(EDGE).split()[-len(rest.split()) :]
            found = (" ".join(left[:_SHOWN]) + (" …" if len(left) > _SHOWN else ""), text)
    return found


def unsourced(book: Book, quote: UnclearQuotation) -> Finding | None:
    """Report words whose source is unclear, unless one of the rules cited beside them has them."""
    parts = pieces(quote.words)
    is_held = not parts or any(book.where(number, parts) for number in quote.numbers)
    return None if is_held else _unread(UNCLEAR, quote.words)


def _unread(message: str, quote: str) -> Finding:
    return Finding(UNREAD, message, quote=quote)


def sentence_of(book: Rulebook, citation: Citation, beside: Sequence[Citation]) -> Finding | None:
    """Report words at a citation, quoted or not, that are a whole sentence of exactly one other rule.

    That rule may be copied together with the rules it cites.
    """
    own = {it for number in citation.numbers for it in book.family(number)}
    others = {number for it in beside for number in it.numbers}
    for text in citation.quotes or said_by(citation):
        parts = pieces(text)
        having = book.anywhere(parts) if word_count(parts) >= FEWEST_WORDS else ()
        if len(having) == 1 and having[0] not in own and others.isdisjoint((*having, *above(having[0]))):
            likeness, number, wording = book.nearest(text, having)
            near = citation.block.text[max(0, citation.start - _CONTEXT) : citation.end]
            if likeness > _WHOLE and folded(near).strip(EDGE) not in book.folded[number]:
                message = WORDS_OF.format(number, called(citation))
                return Finding("words", message, having, text, wording=wording)
    return None


def long_quotations(citation: Citation) -> list[tuple[str, ...]]:
    """Return the pieces of each quotation at a citation that has enough words to be compared."""
    return [it for it in map(pieces, citation.quotes) if word_count(it) >= FEWEST_WORDS]


def unquoted(
    book: Rulebook, citation: Citation, beside: Sequence[Citation], words: Words | None
) -> Finding | None:
    """Report words at a citation that say something else than its rule, or are not matched with its words."""
    told = copied(book, citation, beside) or altered(book, citation)
    nearly, told = (told, None) if told and told.kind == UNREAD else (None, told)
    told = told or obsolete(book, citation) or elsewhere(book, citation)
    both = [] if told else said_at(book, citation, beside, words)
    compared = (other_kind, other_figure, cut_list, *(() if nearly else (contrary,)), contrary_word, reworded)
    of_one_rule = both if len(citation.numbers) == 1 else ()
    found = (it(book, citation, said) for said in of_one_rule for it in compared)
    told = told or next(filter(None, found), None) or nearly
    if both and not told:
        numbers = _rules_at(book, citation)
        parts = pieces(both[-1])
        cut = next(filter(None, (_cut(book, it, parts) for it in numbers if parts)), None)
        is_less = cut and not _LIMITS.isdisjoint(cut[0].lower().split()[:1])
        told = _unread(LESS, both[-1]) if is_less else None
        told = _unread(OTHER, both[-1]) if not told and _is_apart(book, citation, both[-1]) else told
    if not told or told.kind != UNREAD:
        return told
    parts, own = pieces(told.quote), [it for it in citation.numbers if it in book.items]
    return _unread(FORMER, told.quote) if any(book.formerly(it, parts) for it in own) else told


def figure_at(
    book: Rulebook, citation: Citation, beside: Sequence[Citation], words: Words | None
) -> Finding | None:
    """Report a figure or player in the words at a citation, if its rule has another one."""
    said = said_at(book, citation, beside, words) if len(citation.numbers) == 1 else ()
    return next(filter(None, (other_figure(book, citation, it) for it in said)), None)


def is_by_number(book: Rulebook, citation: Citation, beside: Sequence[Citation], words: Words | None) -> bool:
    """Return whether too little is said at a citation to be compared with its rule, except for its name."""
    if long_quotations(citation):
        return False
    topics, near = book.topics, _rules_at(book, citation)
    said = [(it, _with_denials(it, topics.stemmer)) for it in said_at(book, citation, beside, words)]
    titles = _words_of_titles(book, near)

    def is_compared(text: str, words: Sequence[_Said]) -> bool:
        stems = {it.stem for it in words}
        more, read = len(stems - titles), (one for it in near for one in book.sentences(it))
        is_name = bool(stems) and not more
        is_held = more == 1 < len(stems) and any(stems.issubset(own) for own in topics.stemmer.of([*read]))
        return is_name or is_held or (more > 1 and not _is_short(book, near, text, words))

    return not any(is_compared(*it) for it in said)


def _rules_at(book: Rulebook, citation: Citation) -> list[str]:
    """Return the numbers of a citation that the edition has, with those of their parts."""
    return [it for number in citation.numbers for it in book.with_parts(number)]


def _words_of_titles(book: Rulebook, near: Sequence[str]) -> frozenset[int]:
    above_them = above(near[0]) if near else ()
    return frozenset[int]().union(*map(book.topics.words_of_title, (*near, *above_them)))


def _is_short(book: Rulebook, near: Iterable[str], said: str, words: Iterable[_Said]) -> bool:
    """Return whether a text has too few telling words to be compared with these rules."""
    stems = {it.stem for it in words}
    fewest = _FEWEST_TOLD if VERBS.isdisjoint(tokens_of(said)) else _FEWEST_TOLD - 1  # *the rest are exiled*
    is_held = any(stems.issubset(book.topics.rules[it].stems) for it in near)
    return len(stems) < fewest and not (len(stems) > 1 and is_held)


def _is_apart(book: Rulebook, citation: Citation, said: str) -> bool:
    """Return whether a sentence has telling words that no sentence of the cited rules has together, in order.

    A sentence of a rule does not count if only one of both denies, or if it has another figure or owner. A
    text that may join sentences may have the words of a paragraph. What a rule says of another is not apart.
    """
    text, start, end = citation.block.text, citation.start, citation.end
    sides = (text[max(0, start - _AROUND) : end].split()[1:], text[start : end + _AROUND].split()[:-1])
    if any(len(it) >= _FEWEST_AROUND and book.anywhere(pieces(" ".join(it))) for it in sides):
        return False
    topics, words = book.topics, _with_denials(said, book.topics.stemmer)
    near = _rules_at(book, citation)
    titles = _words_of_titles(book, near)
    whole = 0 if JOINS.search(folded(said)) else 1
    read = [(it, text) for it in near for text in (*book.sentences(it), *book.items[it].texts[whole:])]
    if _is_short(book, near, said, words):
        stems, held = {it.stem for it in words}, [topics.rules[it].stems for it in near]
        ruled = (topics.rules[it].stems for it in above(citation.numbers[0]) if it in topics.rules)
        lacked = topics.naming & stems.difference(titles, *held, *ruled, *topics.stemmer.of(_OF_SPEECH))
        is_other = stems & topics.naming and not any(has_values_of(said, text) for _, text in read)
        return _POINTERS.isdisjoint(tokens_of(said)[:1]) and bool(lacked or (read and is_other))
    alike = [
        (has_values_of(said, text), it in citation.numbers)
        for it, text in read
        if is_bounded_like(said, text) and _is_told(words, _with_denials(text, topics.stemmer), titles)
    ]
    return (True, True) not in alike and ((False, True) in alike or (True, False) not in alike)


_POINTERS = frozenset("that this it see".split())
_OF_SPEECH = "rule says tells means follows describes covers defines explains applies handles".split()
"""Words that point to a rule, and words for what a rule does, which say nothing of the game."""


class _Said(NamedTuple):
    """A stem with its word, whether a denial is between it and the stem before it, and whether it follows
    *is* (then it is passive) or *has* (then it is not)."""

    stem: int
    word: str
    denied: bool
    passive: bool | None

    def is_like(self, other: _Said, *, inner: bool) -> bool:
        """Return whether both say the same; between others *is* counts: *blocks it*, *is blocked by*."""
        is_alike = not inner or self.word == other.word or bool(self.passive) == bool(other.passive)
        is_turned = {self.passive, other.passive} == {True, False}
        return self.stem == other.stem and self.denied == other.denied and is_alike and not is_turned


_HAVE = frozenset("has have had".split())


def _with_denials(text: str, stemmer: Stems) -> list[_Said]:
    """Return the stems of a text with what is known about each."""
    tokens, found, denied = tokens_of(text), list[_Said](), False
    passive: bool | None = None
    for token, own in zip(tokens, stemmer.of(tokens), strict=True):
        denied ^= denies(token) or token == "without"
        for stem in own:
            found.append(_Said(stem, token, denied, passive))
            denied = False
        passive = True if token in BE else False if token in _HAVE else passive if token == "not" else None
    return found


def _is_told(words: Sequence[_Said], text: Sequence[_Said], titles: Collection[int]) -> bool:
    """Return whether a sentence has these words, except for titles, in their order and close together.

    The number of denials before each must be odd in both, or even in both.
    """
    theirs, kept, denied = {it.stem for it in text}, list[_Said](), False
    for it in words:
        denied ^= it.denied
        if it.stem in theirs or it.stem not in titles:
            kept.append(it._replace(denied=denied))
            denied = False
    for first, one in enumerate(text if kept else ()):
        at, left, odd = first, kept, False
        for n, it in enumerate(text[first:], first) if one.is_like(kept[0], inner=False) else ():
            odd ^= it.denied
            inner = 1 < len(left) < len(kept)
            if left and it._replace(denied=odd).is_like(left[0], inner=inner):
                at, odd, left = n, False, left[1:]
        if not left and at - first < _FARTHEST_APART * len(kept):
            return True
    return not (kept or denied)


def copied(book: Rulebook, citation: Citation, beside: Sequence[Citation]) -> Finding | None:
    """Report words at a citation, without quotation marks, that another rule has nearly word for word.

    A rule that cites this one, or is cited `beside` it, may be the one that was copied.
    """
    numbers = [*citation.numbers, *(number for it in beside for number in it.numbers)]
    for text in said_by(citation):
        if len(text.split()) < _FEWEST_COPIED:
            continue
        other = _other(book, numbers, text, _COPIED_WORDS)
        if not other:
            continue
        if not cites(book, other[0], citation):
            message = WORDS_OF.format(other[0], called(citation))
            return Finding("words", message, other[:1], text, wording=other[1])
    return None


def _other(book: Rulebook, numbers: Iterable[str], text: str, share: float = 0.5) -> tuple[str, str] | None:
    """Return the number and words of another rule nearly equal to a text, if none of these rules are."""
    own = {it for number in numbers for it in book.family(number)}
    likely = book.topics.like(text, share)
    likeness, number, wording = book.nearest(text, (it for it in likely if it not in own))
    if likeness < _COPIED or likeness < book.nearest(text, own)[0] + _CLEARLY:
        return None
    is_own = any(book.where(it, pieces(text)) for it in own)
    is_contrary = has_contrary(words_and_figures(text), words_and_figures(wording))
    return None if is_own or is_contrary else (number, wording)
