"""Read words for things of a kind: what a thing has, what is of two kinds, what relies on something."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from ...loaders.language.names import plural, singular
from ...loaders.language.numbers import number_in
from ...ontology import counted
from ..catalogue.questions import question
from ..finding.kinds import kind_called, reword_kinds
from ..finding.names import capital
from ..reliance.levels import Reach
from ..session import Answer, Session
from .mentions import with_longer_names
from .running import answer_to, command, run
from .slots import SlotValues, WordReading
from .spelling import place_of
from .stated import unlisted
from .understanding import thing_named

_OWNED = re.compile(
    r"\W*(?:(?:what|which)(?: are)?|(?:list|name|show|give)(?: me)?(?: all)?)? ?(?:of )?(?:the )?"
    r"(?P<kind>\w+(?:[ -]\w+)??)(?: of| does| do| can| that)?"
    r" (?:an?|the|each|every|all) (?P<owner>[\w-]+)(?: has| have)?\W*",
    re.IGNORECASE,
)
"""Words for a list of what a thing has: *the characteristics of an object*, *statuses a permanent has*."""

_OF_BOTH = re.compile(
    r"\W*(?:(?:what|which)(?: are)?|(?:list|name|show|give)(?: me)?(?: all)?)? ?(?:the )?"
    r"(?P<one>\w+) (?P<kind>\w+ (?P<noun>\w+))(?: are there| exist)?\W*",
    re.IGNORECASE,
)
"""Words for a list of what is of two kinds: *the static keyword abilities*."""

_WHICH_ARE_BOTH = re.compile(
    r"\W*(?:which|what) (?P<kind>\w+(?: \w+)?) (?:are|were) (?:also )?(?P<other>[\w-]+(?: [\w-]+)?)\W*",
    re.IGNORECASE,
)
"""The same as a question: *which keyword abilities are static abilities*."""

_STEPS_OF_TURN = re.compile(
    r"\W*(?:(?:what|which|how many)(?: are)?|(?:list|name|show|give)(?: me)?(?: all| every)?)?(?: of)? ?"
    r"(?:the |every )?steps?(?:(?: are)?(?: there)? (?:of|in|during) (?:an?|the|each|every|one) turn"
    r"(?: are there| exist)?(?:,? in order)?| does (?:an?|the|each|every|one) turn have)\W*",
    re.IGNORECASE,
)
"""Words for the steps of a whole turn, whose parts are phases."""

_WHICH_RELY = re.compile(
    r"\W*(?:which|what) (?P<kind>[\w-]+(?: [\w-]+)?) "
    r"(?:(?:are )?(?:rely|relies|depend|depends|dependent) (?:up)?on"
    r"|(?P<mention>(?:mention|cite|name)s?|refers? to)) (?P<thing>.+?)\W*",
    re.IGNORECASE,
)
"""Words for the things of a kind that rely on something: *which keyword abilities rely on combat damage*."""


_VERB = r"(?:mention|cite|contain|use|name|define|need|refer|rely|relie|depend)(?:s|ing)?(?: (?:up)?on| to)?"
_BUT_NOT = r"(?:but|and) (?:(?:do |does )?(?:not|never)|don['’]t|doesn['’]t)|without|except(?: for)?"

_OF_EITHER = re.compile(
    rf"\W*(?P<asked>(?:which|what|list|show|find|give me|all|every)\b.*? {_VERB}) (?:either |both )?"
    rf"(?P<one>.+?),? (?P<how>or|and|{_BUT_NOT}) (?:{_VERB} )?(?:on |to )?(?P<other>.+?)\W*",
    re.IGNORECASE,
)
"""A list by two things: *which rules mention ward or hexproof*, *what relies on dying but not on tokens*."""

_LONGEST_NAME = 8
"""The maximum number of words in the name of its second thing."""


_BEGINS = re.compile(
    r"(?P<asked>.+?)(?: (?:that|which))?(?: are there(?: that)?)? (?:begin|start)(?:s|ning|ing)? with"
    r" (?:(?:an?|the) )?(?:letters? )?[\"“'‘]?(?P<start>[A-Z]|[\w-]{2,12})[\"”'’]?(?: are there)?\W*",
    re.IGNORECASE,
)
"""A list with only the names that begin with something: *keyword abilities beginning with W*."""

_OF_A_KIND = (("list_items",), ("terms_of_kind",))


def that_begin(
    session: Session, words: str, read: Callable[[str], Iterator[WordReading]], edition: str | None
) -> Iterator[WordReading]:
    """Yield a list with only the items whose names begin with something.

    `read` yields the readings of the words for the whole list, in the same edition.
    """
    said = _BEGINS.fullmatch(words)
    if not said or thing_named(session, words):
        return
    start, whole = said["start"], None
    for asked in (said["asked"], f"what are the {said['asked']}"):
        whole = whole or next((it for it in read(asked) if it.asked[:1] in _OF_A_KIND), None)
    if not whole:
        return

    def answer() -> Answer:
        found = whole.answer()
        name = found.columns.index("item" if "item" in found.columns else "term")
        rows = tuple(row for row in found.rows if str(row[name]).lower().startswith(start.lower()))
        told = f"{len(rows)} of {len(found)} begin with “{capital(start)}”."
        return found._replace(rows=rows, notes=(told, *found.notes), lead=(told,))

    meaning = f"{whole.meaning}, those that begin with “{capital(start)}”"
    typed = command("ask", words, edition=edition)
    yield WordReading(meaning, typed, answer, loose=False, settled=True, asked=whole.asked)


def catalogued(session: Session, name: str, about: str, edition: str | None) -> WordReading:
    """Return a question of the catalogue about one thing, or about words."""
    asked = question(name)
    answer = partial(answer_to, session, asked, (about,), edition or None)
    meaning = f"{asked.title.format(**{asked.parameters[0].name: about})} ({name})"
    return WordReading(meaning, command("ask", name, about, edition=edition), answer, asked=(name, about))


def on_list(session: Session, said: str, kind: str, edition: str | None) -> Iterator[WordReading]:
    """Yield the lists that have a word if one is the list of a kind, else that this list does not have it.

    Nothing is yielded if the rules have no list of the kind.
    """
    lists = catalogued(session, "lists_with", said, edition)
    found = lists.answer()
    if any(singular(str(row["list"])).lower() == kind.lower() for row in found):
        yield lists.answered(found)
    elif told := (*unlisted(said, kind, lambda name, args: run(session, question(name), args, edition)),):
        none = found._replace(rows=(), notes=told, lead=told, answered=True)
        yield lists.answered(none)._replace(loose=False, settled=True)


def owned(session: Session, words: str, edition: str | None) -> Iterator[WordReading]:
    """Yield the question for the list of what a thing has, if the listing text names the thing."""
    said = _OWNED.fullmatch(words)
    kind = kind_called(session, said["kind"]) if said else None
    if not (said and kind):
        return
    listed = catalogued(session, "list_items", kind.name, edition)
    answer = listed.answer()
    index = session.index(session.scope(edition).edition)
    named = "SELECT line FROM words JOIN passage ON passage.id = words.rowid WHERE words MATCH ?"
    lines = {line for (line,) in index.execute(named, (f'text : "{said["owner"]}"',))}
    if answer.rows and {row["line"] for row in answer} <= lines:
        yield listed.answered(answer)


def steps_of_turn(session: Session, words: str, edition: str | None) -> Iterator[WordReading]:
    """Yield the list of all steps for a question about the steps of a turn."""
    if _STEPS_OF_TURN.fullmatch(words):
        listed = catalogued(session, "list_items", "step", edition)
        if (found := listed.answer()).rows:
            meaning = "What are the steps of a turn? (list_items)"
            yield listed.answered(found)._replace(meaning=meaning, loose=False)


def step_of_turn(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield the reading for one step of a whole turn, by its place; the parts of a turn are phases."""
    place, listed = place_of(given["place"]), catalogued(session, "list_items", "step", given["edition"])

    def answer() -> Answer:
        found = listed.answer()
        return found._replace(rows=found.rows[(place or 0) - 1 :][:1] or found.rows)

    if place is not None:
        meaning = f"What is step {place} of a turn?" if place else "What is the last step of a turn?"
        yield listed._replace(meaning=meaning, answer=answer, loose=False, asked=())


def of_both(session: Session, words: str, edition: str | None) -> Iterator[WordReading]:
    """Yield the question for things that are of two kinds: *the static keyword abilities*."""
    if both := _OF_BOTH.fullmatch(reword_kinds(session, words)):
        yield from _both(session, (both["kind"], f"{both['one']} {both['noun']}"), edition)


def which_are_both(session: Session, words: str, edition: str | None) -> Iterator[WordReading]:
    """Yield the same for a question: *which keyword abilities are static abilities*."""
    if both := _WHICH_ARE_BOTH.fullmatch(words):
        for own in _both(session, both.groups(), edition):
            yield own._replace(loose=False)


def _both(session: Session, named: Sequence[str], edition: str | None) -> Iterator[WordReading]:
    """Yield the question for things that are of two kinds, given by their names."""
    kinds = [kind.name for it in named if (kind := kind_called(session, it))]
    if len({*kinds}) > 1:
        every, listed = (catalogued(session, "terms_of_kind", it, edition) for it in kinds)
        meaning = f"Which terms are a kind of {kinds[0]} and of {kinds[1]}?"
        yield listed._replace(meaning=meaning, answer=partial(_in_both, listed, every), asked=())


def _in_both(listed: WordReading, every: WordReading) -> Answer:
    """Return the rows of one list whose things are also on another."""
    names, found = {row[0] for row in every.answer().rows}, listed.answer()
    return found._replace(rows=tuple(row for row in found.rows if row[0] in names))


def of_either(
    session: Session, words: str, edition: str | None, read: Callable[[str], Iterator[WordReading]]
) -> Iterator[WordReading]:
    """Yield the list by two things: what has one *or* the other, both of them, or one *but not* the other.

    `read` yields the readings of the list by one thing.
    """
    said = _OF_EITHER.fullmatch(words)
    if (
        not said
        or len(said["other"].split()) > _LONGEST_NAME
        or thing_named(session, f"{said['one']} {said['how']} {said['other']}", edition)
    ):
        return
    one, other = (next(read(f"{said['asked']} {said[it]}"), None) for it in ("one", "other"))
    if not (one and other) or one.thing or one.asked[:1] != other.asked[:1]:
        return
    how = said["how"].lower()
    # The texts that mention two terms are a question of the catalogue.
    if how == "and" and one.asked[:1] == ("mentions_of",):
        return
    meaning = f"{capital(said['asked'])} {said['one']} {how} {said['other']}?"
    answer = partial(_combined, one, other, how, (said["one"], said["other"]))
    both = (*one.things, *other.things)
    yield WordReading(meaning, command("ask", meaning), answer, both, loose=False, settled=True)


def _combined(one: WordReading, other: WordReading, how: str, called: Sequence[str]) -> Answer:
    """Return the rows of two lists whose things are on either, on both, or only on the first."""
    first, second = one.answer(), other.answer()
    ours, theirs = ({row[0] for row in it.rows} for it in (first, second))
    kept = {"or": ours | theirs, "and": ours & theirs}.get(how, ours - theirs)
    rows = dict.fromkeys(row for row in (*first.rows, *second.rows) if row[0] in kept)
    place = first.columns.index("line") if "line" in first.columns else 0
    noun = {"source": "text"}.get(first.columns[0], first.columns[0])
    told = f"{counted(len(kept), noun)}: {len(ours)} for {called[0]}, {len(theirs)} for {called[1]}"
    told += f", {len(ours & theirs)} for both."
    ordered = tuple(sorted(rows, key=lambda row: (row[place] is None, row[place])))
    return first._replace(rows=ordered, notes=(told,), lead=(told,))


def which_rely(
    session: Session, words: str, edition: str | None, reach: Reach | None
) -> Iterator[WordReading]:
    """Yield the question for the things of a kind that rely on something, mentions included."""
    said = _WHICH_RELY.fullmatch(words)
    kind = kind_called(session, said["kind"]) if said else None
    named = thing_named(session, said["thing"], edition) if said and kind else None
    if not (said and kind and named):
        return
    name, things = named
    # A list has no kinds among its things, such as the hidden zones.
    own = (catalogued(session, it, kind.name, edition).answer() for it in ("list_items", "terms_of_kind"))
    members = {str(row.get("item") or row["term"]).lower() for row in next((it for it in own if it.rows), ())}
    noun = "rule" if members and all(map(number_in, members)) else "term"
    asked = question(f"{noun}s_relying_on")

    def answer() -> Answer:
        found = answer_to(session, asked, (name,), edition, reach)
        if said["mention"] and not number_in(name):
            found = with_longer_names(
                session, found, name, partial(answer_to, session, asked, edition=edition)
            )
        kept = found._replace(rows=tuple(row for row in found.rows if str(row[0]).lower() in members))
        ours = kind.name if len(kept) == 1 else plural(kind.name)
        of = "" if said["mention"] else f" of the {counted(len(found), noun)} that rely on it"
        told = f"{len(kept):,} {ours}{of}."
        return kept._replace(notes=(told, *(it for it in found.notes if " more at " not in it)))

    verb = "mention" if said["mention"] else "rely on"
    meaning = f"Which {plural(kind.name)} {verb} {things[0].name if things else name}?"
    typed = command("ask", *((meaning,) if said["mention"] else (asked.name, name)), edition=edition)
    yield WordReading(meaning, typed, answer, things, loose=False)
