"""Answer questions for something whole: a list, a rule with its parts, a chapter, all texts with a word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from ...loaders.language.names import plural
from ...loaders.language.verbs import verbs_of_noun
from ...loaders.language.words import words_in
from ...ontology import counted
from ..catalogue.questions import question
from ..finding.kinds import kind_called
from ..finding.recognition import Recognised
from ..searching.grammar import Wanted
from ..session import Answer, Session
from .counts import HOW_MANY
from .running import answer_to, command
from .understanding import name_alone, thing_named

_HAPPENS = re.compile(r"\bhappens (?:in|during|at)\b", re.IGNORECASE)
_OF_THE_TURN = (" step", " phase")

_QUOTED = r"\"([^\"]+)\"|“([^”]+)”|'([^']+)'"
_WITH_WORDS = re.compile(
    r"\W*(?:which|what|how many|(?:list|show(?: me)?|find|give me)(?: all)?|all)(?: of)?(?: the)? "
    r"(?:rules|texts|passages)(?: that| which)? (?:"
    r"(?:mention|contain|containing|use|using|have|with|include|say|saying)"
    rf"(?: the)?(?: exact)? (?:words?|phrase) (?:{_QUOTED}|([\w/-]+))"
    rf"|(?:say|saying|read|reading|contain|containing|include) (?:{_QUOTED}))\W*",
    re.IGNORECASE,
)

_WITH_NAME = re.compile(
    r"\W*(?i:(?:in )?(?:which|what|how many) (?:rules?|texts?|examples?) "
    r"(?:(?:mentions?|names?)|(?:is|are) about(?= (?:the card )?\W?(?-i:[A-Z]))) (?:the card )?)"
    r"[\"“‘']?(?P<name>[\w'’]+(?:,? [\w'’]+){0,4}?)[\"”’']?\W*"
)
"""Words for the texts with a name, such as that of a card; what they are *about* has a capital letter."""

_NUMBERED = re.compile(
    r"[\s,]+(?:with|and|by) (?:the |their |its )?(?:rules? )?numbers?(?: (?:of|for) each)?\W*$", re.IGNORECASE
)
"""Words for something that every answer has anyway: *with their rule numbers*."""

_ORDERED = re.compile(r"[\s,]+in (?:the |their )?(?:right |correct |proper )?order\W*$", re.IGNORECASE)

_LISTED = re.compile(
    r"\W*(?:list|name|show|give|tell|what|which|all|how many)\b(?: (?:me|us|are|all|of|the|every))*",
    re.IGNORECASE,
)
_ARE_THERE = re.compile(r"^(?:kinds|types|sorts) of | (?:are there|exist)$", re.IGNORECASE)

_BY_THE_RULES = re.compile(
    r"\s+(?:that |which )?(?:the rules (?:define|describe|list|name|know|have|mention)"
    r"|(?:(?:an?|the) (?:player|object|permanent|spell)|players|people|you|I|we|one) (?:(?:can|may|could) )?"
    r"(?:takes?|do(?:es)?|makes?|uses?|ha(?:ve|s)|gets?))\W*$",
    re.IGNORECASE,
)
"""A clause that says no more than that the rules have it: *special actions that a player can take*."""

FOR_A_LIST = re.compile(
    r"\W*(?:please )?(?:list|enumerate)(?: me)?(?: (?:all|every|each)(?: of)?)?(?! of\b)\b", re.IGNORECASE
)
"""Matches the beginning of a request for a list."""

_WHICH = re.compile(
    r"\W*(?:which|what|all|every) (?:(?:sub)?rules (?:that )?(?:mention|cite|name|refer|rely|depend|contain"
    r"|use|define|changed|were)|(?:terms|entries|definitions|editions|chapters|sections|counters|zones"
    r"|keywords?|[\w-]+ types|(?:keyword|ability|flavor) (?:abilities|actions|words)|state-based actions) "
    r"|(?!player|team|opponent|creature|permanent)[\w -]+? (?:has|have|had) the (?:most|fewest|least)\b)",
    re.IGNORECASE,
)
"""Matches the beginning of a question for rules by what they say, or for things of a kind."""

_ALL = re.compile(r"\W*(?:what are )?all (?:of )?(?:the )?", re.IGNORECASE)

_EACH = re.compile(r"(?<=\blist )(?:every|each) (\w+)", re.IGNORECASE)

EVERY_PASSAGE = 10_000
"""A limit that no store of editions reaches."""


def is_of_turn(words: str, name: str) -> bool:
    """Return whether words ask for everything that happens in a part of the turn, not only what it is."""
    return name.lower().endswith(_OF_THE_TURN) and _HAPPENS.search(words) is not None


def words_asked_for(session: Session, words: str, edition: str | None) -> str:
    """Return the words of which a question wants every text, ``""`` for other questions.

    These are exact words, or the name of a card that some text has.
    """
    asked = _WITH_WORDS.fullmatch(words)
    named = _WITH_NAME.fullmatch(words)
    if asked or not (named and session.editions()) or thing_named(session, named["name"], edition):
        return next(filter(None, asked.groups())) if asked else ""
    index = session.index(session.scope(edition).edition)
    return named["name"] if Wanted(tuple(words_in(named["name"]))).is_in(index) else ""


def with_literal(session: Session, words: str, literal: str, edition: str | None, most: int | None) -> Answer:
    """Return every text with some words; if the question asks how many, the lead says so."""
    # Few questions need this.
    from ..searching.search import search

    found = search(session, f'"{literal}"', edition=edition, limit=most or EVERY_PASSAGE)
    if not HOW_MANY.match(words) or most:
        return found
    count = len(found) + found.more
    told = f"{counted(count, 'text')} in {found.edition} {'has' if count == 1 else 'have'} it."
    return found._replace(lead=(told, *found.lead), notes=(told, *found.notes))


def with_parts(
    session: Session, text: Callable[[], Answer], args: Sequence[str], edition: str | None
) -> Answer:
    """Return the text of a rule; for a bare heading or the opening of a list, with the rules below it.

    For other rules, a note names their parts.
    """
    found = text()
    parts = answer_to(session, question("parts_of"), tuple(args), edition) if found.rows else found
    if all(row[1] == row[2] or str(row[2]).endswith(":") for row in found.rows):
        rows = ((number, *told) for number, _, *told in parts.rows)
        return found._replace(rows=(*found.rows, *rows))
    below = [str(row[0]) for row in parts.rows if row[0]]
    if not below:
        return found
    told = f"{below[0]} to {below[-1]} are parts of it" if len(below) > 1 else f"{below[0]} is a part of it"
    typed = command("ask", "parts_of", *args, edition=edition)
    return found._replace(notes=(*found.notes, f"{told}: `{typed}`."))


def with_chapter(session: Session, definition: Callable[[], Answer], edition: str | None) -> Answer:
    """Return a definition with all rules of the chapter whose heading it has, without examples."""
    found = definition()
    chapter = next((str(row[0]) for row in found.rows if row[0] and "." not in str(row[0])), "")
    if not chapter:
        return found
    parts = answer_to(session, question("parts_of"), (chapter,), edition)
    shown = {row[0] for row in found.rows}
    rest = (row for row in parts.records() if row["number"] and row["number"] not in shown)
    rows = (tuple(row.get(column) for column in found.columns) for row in rest)
    return found._replace(rows=(*found.rows, *rows))


def with_the_noun(
    session: Session, mentions: Callable[[], Answer], thing: Recognised, edition: str | None
) -> Answer:
    """Return the mentions of a term, and the passages with the noun that a question has for its verb.

    The documents mention *Destroy* with the forms of the verb; *destruction* is no mention.
    """
    # Few questions need this.
    from ..searching.search import search

    found, noun = mentions(), thing.used.lower()
    if thing.name.lower() not in verbs_of_noun(noun):
        return found
    where = edition or found.edition  # the term may be in an older edition only
    having = search(session, f'"{noun}"', edition=where, limit=EVERY_PASSAGE)
    index = session.index(session.scope(where).edition)
    headings = {it[:2]: it[2] for it in index.execute("SELECT document, line, heading FROM passage")}
    known = {(row["document"], row["line"]) for row in found}
    more = [
        (row["number"] or headings.get(place), row["text"], *place)
        for row in having
        if noun in words_in(str(row["text"])) and (place := (row["document"], row["line"])) not in known
    ]
    if not more:
        return found
    rows = sorted((*found.rows, *more), key=lambda row: (str(row[2]), int(str(row[3]))))
    note = f"{len(more)} of these have the word “{noun}”, but no form of {thing.name}."
    return found._replace(rows=tuple(rows), notes=(*found.notes, note))


def whole_list(session: Session, words: str, edition: str | None) -> tuple[str, str]:
    """Return words without a wish for numbers, as a question for a list if they only name things.

    Such words name all things of a kind (*all the zones*), or things with their numbers or in order, which
    every list has.
    """
    plain = _EACH.sub(lambda one: f"all {plural(one[1])}", _NUMBERED.sub("", words), count=1)
    asked = _ORDERED.sub("", plain)
    listed = _LISTED.match(asked)
    kind = _BY_THE_RULES.sub("", asked[listed.end() :]) if listed else ""
    if listed and kind_called(session, _ARE_THERE.sub("", name_alone(kind))):
        asked = f"{asked[: listed.end()] if HOW_MANY.match(asked) else 'what are the '}{kind}"
    named = _ALL.sub("", asked, count=1)
    is_list = named != words and (thing_named(session, named, edition) or kind_called(session, named))
    return plain, f"list {named}" if is_list else asked


def no_such_list(words: str, found: Answer) -> Iterator[str]:
    """Yield a remark if words ask for a list and `found`, the closest rules, is none.

    It is one if the best rule is followed by its parts.
    """
    first, second = (str(row["number"]) for row in found[:2]) if len(found) > 1 else ("", "")
    if (FOR_A_LIST.match(words) or _WHICH.match(words)) and found.rows and second != f"{first}a":
        yield "No such list was found in the rules: these are the closest rules."
