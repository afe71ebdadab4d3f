"""The kinds of findings about citations, with their meanings and usual severities."""

from __future__ import annotations

from dataclasses import dataclass

ERROR, WARNING, NOTE = "error", "warning", "note"
"""How certain a finding is, as measured (docs/quality.md); notes are shown on request."""

UNREAD = "unread"
"""The `finding` for a number that may be anything, or a quotation without a number: nothing was checked."""

STANDS = "stands"
"""The `finding` for a number that the edition has and nothing contradicts; only `every` shows it."""

FITS_TODAY = ", which the words beside it fit"
"""The end of a message about a number that was moved, beside words of the rule that has it today."""

WORDS_OF = "these are the words of {}, not of {}"
"""The message about words of another rule: the numbers of that one, and of the one that the text cites."""

KINDS = {
    "unknown": (ERROR, "No edition of the rules has this number"),
    "gone": (ERROR, "The number is gone from the rules"),
    "moved": (ERROR, "The rule has been renumbered since this was written"),
    "stale": (ERROR, "The words around it fit what the number meant in an older edition"),
    "topic": (WARNING, "The words around it name another rule, or do not mention this one"),
    "sibling": (NOTE, "Another rule under the same one has more of the words beside it"),
    "newer": (NOTE, "The number is newer than the edition checked or written against"),
    "reworded": (NOTE, "The rule has been reworded since the lock"),
    UNREAD: (NOTE, "Nothing says that this is the number of a rule"),
    "ignore": (WARNING, "A comment that ignores findings is invalid"),
    "words": (WARNING, "The words are not those of the rule, or say something else"),
    "not loaded": (ERROR, "The store lacks the edition to check against"),
}
"""Kind of finding → its severity, which the words around a number may raise or lower, and its meaning."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The finding about one number of a citation; `now` are the numbers to look at instead.

    Its severity is that of its kind, unless given. `fix` says that the only number of `now` may be written
    without review.
    """

    kind: str
    message: str = ""
    now: tuple[str, ...] = ()
    quote: str = ""
    severity: str = ""
    fix: bool = False
    wording: str = ""

    def __post_init__(self) -> None:
        """Give it the severity of its kind; what stands has none."""
        if not self.severity and self.kind != STANDS:
            object.__setattr__(self, "severity", KINDS[self.kind][0])


NOT_CHECKED = Finding(UNREAD, "nothing beside this number says that it is the number of a rule")
