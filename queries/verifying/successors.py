"""Find what the rules no longer say, or do not say yet: old terms and words, removed and new rules."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from ...loaders.language.everyday import SMALL
from ...loaders.language.numbers import numbers, parent, preceding, wholes
from ...ontology import in_a_list
from .citations import Citation
from .denials import denies, is_limited, plain_tokens
from .findings import ERROR, WARNING, Finding
from .meanings import CHAPTER, NumberMeaning
from .rulebook import Book, Rulebook, above, folded
from .subjects import called, said_by
from .topics import words_of
from .weighing import Words

_NEAREST = 80
_LED_TO = r"(?:s|es)?\W*(?:(?:is|are|was|were)\b ?)?(?:(?:[a-z]+ed|found)\b ?)?(?:in|by|under|at|see)?\W*$"
"""Words between a name and its citation: *is described in*."""

_OTHERS = re.compile(r"(?s)(?:^|,|;|\band\b)(?:(?!,|;|\band\b).)*$")
"""What another number ends: *… and haste is 502.5*."""

_OF_THE_PAST = frozenset(
    "ago anymore before changed did earlier eliminated former formerly gone had historically history longer"
    " obsolete old older once previous previously removed renamed replaced since used was were".split()
)
"""Words in a sentence that may be about older rules."""

_LOST, _FEWEST = 0.3, 2
"""The share, by weight, of a sentence's words that a rule must lack, and their minimum number."""

_SOON = 3
"""Up to this many numbers after the last one are taken for numbers of newer rules."""


def unknown(book: Book, number: str, is_possible: bool) -> str:
    """Return in words that no edition has a number, and which numbers are near it."""
    if not is_possible:
        return f"no edition has rule {number}, and none can have this number"
    if number.isdigit() and len(number) < CHAPTER:
        sections = [it for it in book.titles if it.isdigit() and len(it) < CHAPTER]
        last = f"; the last section is {max(sections, key=int)}" if sections else ""
        return f"no edition has section {number}{last}"
    near = next((one for one in above(number) if one in book.titles), "")
    hint = f"; {end_of(book, near)}" if near else ""
    newest = book.meanings.editions[-1]
    hint += f"; newer rules than {newest} may have it" if may_be_newer(book, number) else ""
    return f"no edition has rule {number}{hint}"


def end_of(book: Book, number: str) -> str:
    """Return in words which part of a rule, chapter or section is its last."""
    last = ["", *book.children.get(number, ())][-1]
    name = f"section {number}" if len(number) < CHAPTER else number
    return f"{name} ends at {last}" if last else f"{name} has no parts"


def may_be_newer(book: Book, number: str) -> bool:
    """Return whether rules newer than all that are known may have a number: it goes on where these end."""
    meanings = book.meanings
    last = meanings.editions[-1]

    def stands(it: str) -> bool:
        return it in book.titles if book.name >= last else bool(meanings.lives.holding(it, last))

    absent = [it for it in wholes(number) if not stands(it)]
    if not absent or not book.whole:
        return False
    before = preceding(absent[-1], _SOON)
    return any(map(stands, before or (parent(absent[-1]),)))


def obsolete(book: Rulebook, citation: Citation) -> Finding | None:
    """Report an obsolete term at a citation, unless its entry names the subject of the rule.

    The term must stand directly before the citation or, if the rules dropped the thing and not only its name,
    in a sentence about today. A single word may be everyday English: *caster*.
    """
    said = _up_to_others(citation, next(iter(said_by(citation)), ""))
    ahead, behind, plain = map(folded, (citation.ahead(_NEAREST), citation.behind(_NEAREST), said))
    beside = " | ".join((ahead, behind, plain) if ahead or behind else ())
    named = [it for it in book.obsolete if " " in it[0] and it[1] in beside]
    plain = plain if named and _plain_words(said, citation) else ""
    for name, small, text in named:
        form = rf"\b{re.escape(small)}"
        is_said = "obsolete" not in text and re.search(rf"{form}(?:s|es)?\b", plain)
        sign = r"[^\w.!?]*" if ahead.strip() else r"\W*"  # *702.89. Totem armor* is a heading
        is_beside = re.search(form + _LED_TO, ahead) or re.match(rf"{sign}(?:the )?{form}", behind)
        # *At end of turn* in small letters is a time, not the words on old cards.
        is_phrase = name.split()[0].lower() in SMALL and name not in f"{citation.block.text} {said}"
        if (is_said or is_beside) and not (is_phrase or _is_everyday(book, name)):
            own = {it for number in citation.numbers for it in (number, *above(number)) if "." in it}
            if any(rule in own and folded(other) in text for other, rule in book.names_of_terms):
                return None
            return Finding("topic", f"{_is_obsolete(book, name)}, and {called(citation)} is not about it")
    return None


def _up_to_others(citation: Citation, said: str) -> str:
    """Return the part of a sentence at a citation that is not beyond another number, or about that."""
    others = [*numbers(said)]
    if not others:
        return said
    is_behind = said in citation.behind(len(said) + _NEAREST)
    return _OTHERS.sub("", said[: others[0].start]) if is_behind else said[others[-1].end :]


def _is_everyday(book: Rulebook, name: str) -> bool:
    """Return whether rules still use the words of an obsolete term, such as *Counts As*.

    One rule may do so to tell what became of the term.
    """
    return len(book.anywhere((folded(name),))) > 1


def _is_obsolete(book: Rulebook, name: str) -> str:
    return f"“{name}” is obsolete in {book.name}"


def reworded(book: Rulebook, citation: Citation, said: str) -> Finding | None:
    """Report a sentence that only an older wording of the cited rule says, in a loaded edition.

    The older wording must have all its telling words, and the rule must lack some weighty ones.
    """
    [number], topics = citation.numbers, book.topics
    words = _plain_words(said, citation)
    stems = {word: stem for word in words for stem in topics.stemmer.of([word])[0]}
    lost = _lost(book, stems, (number,))
    if len(lost) < _FEWEST or not _weighs(book, lost, stems):
        return None
    for edition, then, text in book.wordings(number):
        theirs = topics.words_of_title(number).union(*topics.stemmer.of([text]))
        if edition < book.name and theirs.issuperset(stems.values()):
            message = f"these are words of {then} in {edition}; {_lacks(book, lost, (number,))}"
            return Finding("words", message, quote=said, wording=next(iter(book.items[number].texts), ""))
    return None


def with_lost_words(book: Rulebook, citation: Citation, number: str, told: Finding) -> Finding:
    """Add to a finding which words in a sentence at a citation the rules found no longer have.

    If the older rule's words are loaded, only these count.
    """
    said, topics = _up_to_others(citation, next(iter(said_by(citation)), "")), book.topics
    stems = {word: stem for word in words_of(said) for stem in topics.stemmer.of([word])[0]}
    led = [it for it in told.now if it in book.items]
    past = [it for it in book.meanings.of(number) if {*it.now} & {*led}]
    here = {it.words for one in led if (it := book.meanings.at(one, book.name))}
    lost = {} if here.intersection(it.words for it in past) else _lost(book, stems, led)
    if text := "\n".join(book.then(number, it) for it in past if lost).strip():
        held = {*topics.stemmer.of([text])[0]}
        lost = {word: stem for word, stem in lost.items() if stem in held}
    more = [_lacks(book, lost, led)] if lost and past and _weighs(book, lost, stems) else []
    for name, small, _ in book.obsolete:
        own = topics.stemmer.of([name])[0]
        is_apart = len(own) > 1 or not any(map(topics.weight, own))  # *legend* is in the rules
        is_said = re.search(rf"\b{re.escape(small)}(?:s|es)?\b", folded(said))
        if own and is_apart and is_said and not _is_everyday(book, name):
            more.append(_is_obsolete(book, name))
    return replace(told, message="; ".join((told.message, *more)), fix=told.fix and not more)


def not_yet(book: Book, number: str, words: Words, then: Sequence[NumberMeaning], day: str) -> Finding | None:
    """Report a number beside words for today's meaning, in a time when another rule had it.

    `then` are its meanings at that time, none of which it has today; `day` is the last edition of that time.
    """
    if not then or any(words.call(now) for it in then for now in it.now):
        return None
    was = book.meanings.was(number, then[0], min(then[0].last, day))
    title = book.topics.title(number)
    return Finding("topic", f"{was}, not yet {f'“{title}”' if title else 'what it is today'}", severity=ERROR)


def gone_rule(book: Book, number: str, words: Words, other: NumberMeaning | None = None) -> Finding | None:
    """Report a removed rule that had a number, if the words beside that fit its text, which must be loaded.

    They must fit it better than any `other` rule that had the number before. That rule is itself gone if only
    an earlier form of it, before it was divided, became another rule.
    """
    meanings = book.meanings
    for it in meanings.of(number):
        if it.now or it.last >= meanings.here or (other and it.last < other.last):
            continue
        text = book.then(number, it)
        is_meant = words.fit_rather(text, other.now[0]) if other else words.fit_only(text, number)
        if is_meant or (other and it.provision == other.provision):
            return Finding("stale", *meanings.gone(number, it.last), severity=WARNING)
    return None


def _plain_words(said: str, citation: Citation) -> list[str]:
    """Return the telling words of a sentence that plainly says what is true today; otherwise none."""
    tokens = plain_tokens(said, citation) if said else []
    is_plain = not (is_limited(tokens) or any(map(denies, tokens)) or _OF_THE_PAST.intersection(tokens))
    return words_of(said) if is_plain and tokens else []


def _lost(book: Rulebook, stems: Mapping[str, int], numbers: Collection[str]) -> dict[str, int]:
    """Return word → stem for the words that none of these rules, their parts or the rules above has."""
    topics, wanted = book.topics, dict.fromkeys(stems.values(), 1.0)
    held = {it for number in numbers for it in topics.shared(number, wanted)}
    return {word: stem for word, stem in stems.items() if stem not in held}


def _weighs(book: Rulebook, lost: Mapping[str, int], stems: Mapping[str, int]) -> bool:
    """Return whether these words make up much of a sentence; words in no rule count as the rarest."""
    most = max(map(book.topics.weight, book.topics.having), default=0.0)
    whole, part = (sum(book.topics.weight(it) or most for it in {*own.values()}) for own in (stems, lost))
    return part >= _LOST * whole


def _lacks(book: Rulebook, lost: Mapping[str, int], numbers: Collection[str]) -> str:
    """Return in words that rules were reworded, with the rarest words that they lack."""
    rarest = sorted(lost, key=lambda it: book.topics.weight(lost[it]) or float("inf"), reverse=True)[:3]
    words = in_a_list([f"“{it}”" for it in lost if it in rarest])
    have, lack = ("have", "lack") if len(numbers) > 1 else ("has", "lacks")
    return f"{in_a_list([*numbers])} {have} been reworded since, and {lack} {words}"
