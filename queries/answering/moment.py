"""Find the edition or day that a question is about, and remove it from the words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from ...loaders.history.lives import bundled_lives
from ...loaders.language.dates import periods, with_years
from ...ontology import UnknownNameError
from ..finding.recognition import Recognised, recognise
from ..session import Edition, Session, with_history, without_text

_BEFORE = re.compile(
    r"[\s,(]*(?:\b(?:(?:back )?in|as (?:of|at)|under|during|of|for|from|by|per|according to|around|on)\s+)?"
    r"(?:the\s+)?(?:edition\s+)?$",
    re.IGNORECASE,
)
_EARLIER = re.compile(
    r"\b(?:(?:right |just |shortly )?before|prior to)\s+(?:the\s+)?(?:edition\s+)?(?:of\s+)?$", re.IGNORECASE
)
_AFTER = re.compile(
    r"^(?:['’]s)?(?:\s+(?:comprehensive )?(?:rules?|edition|version|release|text|rulebook|cr)\b)?[\s,)]*",
    re.IGNORECASE,
)
_YEAR_ALONE = re.compile(
    r"\b(did|does|do|the|all)(?: the)? ((?:19|20)\d\d)(?:['’]s)?(?= [a-z])"
    r"|\b([a-z]+|\d{3}(?:\.\d+[a-z]*)?) ((?:19|20)\d\d)$",
    re.IGNORECASE,
)
"""A year without a preposition: *did 2009 have*, *the 2009 zones*, *zones 2009*, *100.3 2009*."""

_SINCE = re.compile(r"\bsince (?:the (?:start|beginning) of )?$", re.IGNORECASE)
STILL = re.compile(r"\W*(?:is|are|do|does|can|may|must|has|have)\b.*\bstill\b", re.IGNORECASE)
"""Words about today, whatever time they name: *is the rule of 2008 still in force*."""

_VERSUS = re.compile(r"\s+(?:vs\.?|versus|against|compared (?:to|with))\s+", re.IGNORECASE)
_YEAR_COMPARED = re.compile(rf"\b(?:19|20)\d\d(?={_VERSUS.pattern})", re.IGNORECASE)
"""A year without a preposition that is compared with another time: *the legend rule 2008 vs now*."""

_IN = re.compile(r"(?:^|\b(?:in|of|from|between))\s*$", re.IGNORECASE)
_BY = re.compile(r"\bby (?:the end of )?$", re.IGNORECASE)
_PLACED = re.compile(
    r"(?:the |our )?(?:(?P<newest>now|today|current|newest|latest|present|this)|last|previous|former|prior)"
    r"(?: (?:(?:set of |comprehensive )?rules|rules? (?:update|change)|edition|version|release|update|one)"
    r")?"
    r"|the (?:edition|version|release|one) before",
    re.IGNORECASE,
)
"""An edition by its place among others: the newest, or the one before it."""


OF_A_GAME = re.compile(r"\b(?:i|me|my|we|our|you|your|he|she|his|her|they|opponents?)\b", re.IGNORECASE)

YOU = re.compile(r"\byour?\b", re.IGNORECASE)

_AT_ONE_TIME = (
    r"always|ever|formerly|previously|originally|initially|at first|at (?:any|some) (?:time|point)"
    r"|in the (?:past|old days)|back then"
    r"|once(?! (?:the|its?|they|all|you|per|each|every|in|an? (?:turn|game|step|phase|combat|round))\b)"
)
_ONCE = re.compile(
    rf"\W*(?:(?P<aux>did|was|were|has|have|had|could)\b(?P<before>.*?)\b(?P<once>{_AT_ONE_TIME})\b"
    r"|(?:when )?did\b(?P<subject>.*?)\b(?:used? to\b|(?:stop|cease)(?= (?:being|to be)\b)(?: to\b)?)"
    r"|(?P<said>.*?)(?<!\bbe)(?<!\bis)(?<!\bare) used to(?= be\b))(?P<after>.*)",
    re.IGNORECASE,
)
"""Matches words about what was once true: *was it ever*, *did it use to*, *it used to be*."""

_ASKS = re.compile(r"\W*(?:wh\w+|how|if|can|could|is|are|was|were|do|does|may|must|should)\b", re.IGNORECASE)
_BE = re.compile(r"\b(?:be|been|being)\b\s*", re.IGNORECASE)

_BESIDE = frozenset(
    "in the of edition version release rules rule cr comprehensive start beginning end".split()
)
"""Words that may accompany an edition or a day if nothing else is named."""


class Moment(NamedTuple):
    """The id of the edition that words are about, and the words without that edition.

    `unknown` is set if no such edition is loaded.
    """

    edition: str
    rest: str
    unknown: UnknownNameError | None = None


def moment_of(session: Session, words: str) -> Moment | None:
    """Return the one edition that `words` name by its id or by a day, None for none and for several."""
    found = _moments(session, words) or _moments(session, words := _YEAR_ALONE.sub(r"\1\3 in \2\4", words))
    if len(found) != 1:
        return None
    it = found[0]
    before, after = words[: it.start], words[it.end :]
    # What has been true since then is true today.
    if _SINCE.search(before) or STILL.match(words):
        return None
    earlier = _EARLIER.search(before)
    before = before[: earlier.start()] if earlier else _BEFORE.sub("", before)
    rest = f"{before.rstrip()} {_AFTER.sub('', after)}".strip()
    try:
        return Moment(edition_of(session, it, earlier=bool(earlier)), rest)
    except UnknownNameError as error:
        return Moment("", rest, error)


def moment_beside(session: Session, words: str, edition: str | None) -> Moment | None:
    """Return the result of `moment_of` for a question that is asked about an edition, or about none.

    The given edition counts if it is from the time that the words name; otherwise theirs counts. A time
    without a loaded edition counts only if no edition is given.
    """
    moment = moment_of(session, words)
    if moment is None or not edition:
        return moment
    issued = {it.id: it.issued for it in with_history(session.editions())}.get(edition)
    if moment.unknown or issued is None:
        return None
    period = next(periods(words), None)
    return moment._replace(edition=edition) if period and period.first <= issued <= period.last else moment


def _moments(session: Session, words: str) -> list[Recognised]:
    return [it for it in recognise(session, words).things if it.kind in ("edition", "date")]


def edition_called(session: Session, words: str) -> str | None:
    """Return the id of the edition that all of `words` name: by id, by a day, or by its place in time.

    Returns None for words that name none, and ``""`` if there is no edition of the rules at that place. *The
    last edition* is the one before the newest. Raises the errors of `edition_of`.
    """
    placed = _PLACED.fullmatch(words.strip())
    if placed:
        followed = with_history(session.editions())
        place = -1 if placed["newest"] else -2
        return followed[place].id if len(followed) >= -place else ""
    found = recognise(session, f"in {words}")
    moments = [it for it in found.things if it.kind in ("edition", "date")]
    if len(moments) != 1 or len(found.things) != 1 or not _BESIDE.issuperset(found.rest):
        return None
    return edition_of(session, moments[0])


_LONGEST_MONTH = timedelta(31)
"""The number of days above which a time is a year."""


class TimeSpan(NamedTuple):
    """A time, and the loaded editions around it: all its changes are between them.

    `before` and `after` are their ids, ``""`` for a missing one; the time includes the days `first` and
    `last`. `name` is the time in words: *in 2012*. Unless `whole`, there are other changes between the two as
    well. `later` is the next loaded edition if the last one of the time is not loaded: it has some of the
    changes. `rough` means the time since some day of a year.
    """

    before: str
    after: str
    first: date = date.min
    last: date = date.max
    name: str = ""
    whole: bool = True
    later: str = ""
    rough: bool = False

    @property
    def exact(self) -> bool:
        """Whether the changes between the two editions are exactly those of the time."""
        return self.whole and not self.later

    @property
    def parts(self) -> tuple[TimeSpan, ...]:
        """The time up to its last loaded edition, and the rest."""
        rest = self._replace(before=self.after, after=self.later, whole=False, later="")
        return (self._replace(later=""), rest) if self.later else (self,)

    def holds(self, edition: str) -> bool:
        """Return whether an edition of the comprehensive rules, by its id, was issued in the time."""
        return f"cr-{self.first}" <= edition <= f"cr-{self.last}~"  # a day may have several: "~" sorts last

    @property
    def said(self) -> str:
        """The time in words: by its editions, if all their changes are in it."""
        return f"between {self.before} and {self.after}" if self.exact else self.name

    def until(self, session: Session, end: TimeSpan) -> TimeSpan:
        """Return the time between two editions or days, given as the times since them: this one and `end`.

        If one of them is only a year, the editions of that year are taken, if there are two.
        """
        ends = (it for it in (self, end) if it.rough)
        is_of_then = all(f"cr-{(it.first - timedelta(1)).year}" < it.before for it in ends)
        is_rough = (self.rough or end.rough) and self.before != end.before and is_of_then
        if is_rough or not self.first < end.first:
            return TimeSpan(self.before, end.before)
        last = end.first - timedelta(1)
        near = next((it.id for it in with_history(session.editions()) if it.id > end.before), "")
        later = near if end.before < bundled_lives().in_force(last) else ""
        after, later = (later or end.before, "") if self.before == end.before else (end.before, later)
        start = self.first if self.rough else self.first - timedelta(1)  # the day that was named
        span = TimeSpan(self.before, after, self.first, last, f"from {start} to {last}", later=later)
        return span.compared(session)

    def compared(self, session: Session) -> TimeSpan:
        """Return it with `whole` set by the known editions, loaded or not."""
        known = {*bundled_lives().editions, *(it.id for it in with_history(session.editions()))}
        return self._replace(whole=all(self.holds(it) for it in known if self.before < it <= self.after))


def span_called(session: Session, words: str) -> TimeSpan | None:
    """Return the time that words name.

    *In 2012* is that whole year; an edition, or its day, is the time since the edition before. If none before
    it is loaded, the first edition of the time is used instead; if its last edition is not loaded, the next
    one. Returns None for words without a time. Raises the errors of `edition_of`, also if no edition is known
    from that time.
    """
    last = edition_called(session, words)
    if not last:
        return None
    followed = with_history(session.editions())
    issued = {it.id: it.issued for it in followed}
    period = next(periods(f"in {words}"), None)
    day = issued.get(last) or date.max
    if period is None or period.first == period.last or day == date.max:
        return TimeSpan(_edition_before(followed, day, last), last)
    newest = bundled_lives().in_force(period.last)
    near = [it.id for it in followed if it.issued and it.issued > period.last][:1]
    later = next(iter(near), "") if last < newest else ""
    if day < period.first:
        if not near or newest < f"cr-{period.first}":
            what = f"no loaded edition was issued in {period.name}"
            raise UnknownNameError("loaded edition", period.name, [last, *near], what=what)
        last, later = later, ""
    before = _edition_before(followed, period.first, last)
    span = TimeSpan(before, last, period.first, period.last, f"in {period.name}", later=later)
    return span.compared(session)


def _edition_before(followed: Sequence[Edition], day: date, last: str) -> str:
    """Return the last of some editions before a day, else the first of them unless it is the `last`."""
    earlier = [it.id for it in followed if it.issued and it.issued < day]
    first = earlier[-1:] or [it.id for it in followed[:1] if it.id != last]
    return first[0] if first else ""


def since_called(session: Session, words: str) -> TimeSpan | None:
    """Return the time since an edition or a day; if no edition of that day is loaded, since the one before.

    Returns None for words that name neither. Raises the errors of `edition_of`.
    """
    before = edition_called(session, words)
    if before is None:
        return None
    issued = {it.id: it.issued for it in with_history(session.editions())}
    period = next(periods(f"in {words}"), None)
    day = period.last if period else issued.get(before) or date.min
    after = edition_called(session, "now") or ""
    first = min(day, date.max - timedelta(1)) + timedelta(1)
    is_rough = period is not None and period.last - period.first > _LONGEST_MONTH
    return TimeSpan(before, after, first, name=f"since {day}", rough=is_rough).compared(session)


def timed(session: Session, words: str) -> str:
    """Return words with their times rewritten in the form that questions about changes use.

    *By 2016* is *between* the oldest loaded edition *and 2016*, *flying, 2008 vs now* is *flying in 2008 vs
    now*. *Since 2020* is *since 2020-01-01* if what was in force on that day is loaded, else since the first
    edition of that year that is loaded, or since the last one before it.
    """
    words = with_years(words, date.today())
    issued = {it.issued: it.id for it in with_history(session.editions()) if it.issued}
    compared = next((it for it in periods(words) if _VERSUS.match(words, it.end)), None)
    year = _YEAR_COMPARED.search(words)
    span = (compared.start, compared.end) if compared else year.span() if year else None
    if span:
        start, end = span
        lead = words[:start] if _IN.search(words[:start]) else f"{words[:start].rstrip(' ,:')} in "
        words = f"{lead}{words[start:end]}{_VERSUS.sub(' vs ', words[end:], count=1)}"
    for it in reversed([*periods(words)] if issued else []):
        lead, rest = words[: it.start], words[it.end :]
        if by := _BY.search(lead):
            words = f"{lead[: by.start()]}between {min(issued.values())} and {words[it.start :]}"
        elif it.first != it.last and _SINCE.search(lead):
            known = [id_ for day, id_ in issued.items() if day <= it.first]
            within = [day for day in issued if it.first < day <= it.last]
            is_known = known and known[-1] == bundled_lives().in_force(it.first)
            day = within[0] if within and not is_known else it.first
            words = f"{lead}{day}{rest}" if known or within else words
    return words


def edition_of(session: Session, it: Recognised, *, earlier: bool = False) -> str:
    """Return the id of the edition for an edition or day, or of the one before it (`earlier`).

    Raises `UnknownNameError` for an edition that is not loaded, and for a day before all loaded ones.
    """
    if it.stands and not earlier:
        return session.iris.parse(it.iri).edition
    followed = with_history(session.editions())
    if it.kind == "edition" and not it.stands:
        raise UnknownNameError("loaded edition", it.name, [edition.id for edition in followed[:-4:-1]])
    issued = {edition.id: edition.issued for edition in followed}
    period = next(periods(f"in {it.name}"), None)
    own = issued.get(it.name)
    first, last = (period.first, period.last) if period else (own, own)
    day = first - timedelta(1) if first and earlier else last
    if day is None:
        return ""
    before = [edition.id for edition in followed if edition.issued and edition.issued <= day]
    if before:
        return before[-1]
    known = bundled_lives().in_force(day) if followed else ""
    oldest = next((f"The oldest that is loaded is {edition.id}." for edition in followed), "")
    when = "before" if earlier else "on" if first == last else "in"
    raise UnknownNameError(
        "loaded edition",
        it.name,
        (),
        f"{oldest}\n  {without_text(known)}" if known else oldest,
        what=f"no loaded edition was in force {when} {it.name}",
    )


def in_the_present(words: str) -> str:
    """Rephrase a question about what was once, ever or always true as one about today; ``""`` for others.

    >>> in_the_present("Did moths use to be lamps?"), in_the_present("Has a moth ever lit lamps?")
    ('is moths lamps?', 'does a moth lit lamps?')
    >>> in_the_present("When did moths stop being lamps?")
    'is moths lamps?'
    >>> in_the_present("Was a moth always a lamp"), in_the_present("Is a moth always a lamp")
    ('is a moth a lamp', '')
    >>> in_the_present("Can oil be used to light lamps"), in_the_present("Could a moth ever be a lamp")
    ('', '')
    """
    it = _ONCE.match(words)
    aux = (it["aux"] or "").lower() if it else ""
    is_possible = aux == "could" and it and it["once"].lower() in ("ever", "always")
    if not it or is_possible or OF_A_GAME.search(YOU.sub("", words)) or (it["said"] and _ASKS.match(words)):
        return ""
    said = f"{it['before'] or it['subject'] or it['said'] or ''}{it['after']}"
    plain = _BE.sub("", said, count=1)
    lead = "is" if plain != said or aux in ("was", "were") else "can" if aux == "could" else "does"
    return " ".join(f"{lead} {plain}".split())
