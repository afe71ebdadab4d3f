"""The methods of `Rules` that check: citations in texts, answers to questions, the store itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ...loaders.http.addresses import without_password
from ...ontology import Json, UsageError, in_a_list
from ..operations import operation, typed_methods

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from ...queries.session import Answer, Session


@typed_methods
class Examining:
    """The part of `Rules` that checks things, using its session."""

    session: Session

    @operation("command", "tool")
    def verify(
        self,
        text: str,
        *,
        edition: str | None = None,
        written: str | date | None = None,
        asof: str | date | None = None,
        notes: bool = False,
        every: bool = False,
        strict: bool = False,
    ) -> Answer:
        """Check the rule citations in any text, by their numbers and by the words around them.

        Args:
            text: Markdown, plain text, program comments, a chat. A bare number counts if it can only be a
                rule number, not a price, a version or a date.
            edition: the id or date of the edition to check against (default: the one that the text names at
                its beginning, else the newest).
            written: the edition that the text was written against, as an id or a date (a month or year with
                several editions is refused).
            asof: the same, as a date.
            notes: also list uncertain findings.
            every: also list citations that nothing contradicts, and what was not checked.
            strict: also report what was not checked, or is newer, as findings.

        Columns: line, column (both from 1), citation, number, finding, severity, now, message, quote,
        edition, iri, wording; a row for each finding: ``"unknown"`` (no edition has the number), ``"gone"``,
        ``"moved"`` (since the edition written against), ``"stale"`` (the words around it fit what the number
        meant in an older edition), ``"topic"`` (they name another rule), ``"newer"``, ``"words"`` (the quoted
        words are not in the rule), ``"unread"`` (not checked: the number may not be a rule's, a sentence
        words the rule differently, or a quotation has no number, or fewer than six words, which the rule
        lacks) or ``"not loaded"``. ``"stands"`` says that the edition has the number, and nothing in the
        words around it contradicts it; not that they are true. `severity` is ``"error"``, ``"warning"`` or
        ``"note"``. `now` has the numbers to look at instead, and `wording` the right words. `Answer.checked`
        counts citations, findings of each severity, and what was not checked.

        Raises `UsageError` for an invalid date, and for a date before the oldest known edition,
        `RulesMissingError` for numbers of rules if no edition of the comprehensive rules is loaded.

        >>> for row in lanterns.verify("See rule 301.3, and rule 201.9."):
        ...     print(row["column"], row["number"], row["finding"], row["now"], row["message"])
        5 301.3 gone 320.4 301.3 of cr-2031-02-01 is 320.4 in cr-2031-07-01
        21 201.9 unknown None no edition has rule 201.9; 201 ends at 201.2
        """
        from ...queries.verifying.verify import verify

        return verify(
            self.session,
            text,
            edition=edition,
            written=written,
            asof=asof,
            notes=notes,
            every=every,
            strict=strict,
        )

    @operation("command")
    def cite(
        self,
        *paths: str | Path,
        edition: str | None = None,
        written: str | date | None = None,
        changed_since: str | None = None,
        lock: str | Path | None = None,
        baseline: str | Path | None = None,
        notes: bool = False,
        every: bool = False,
    ) -> Answer:
        """Check the rule citations in whole source trees.

        Args:
            paths: files and folders (default: the current folder); files that git ignores are skipped.
            edition: the id or date of the edition to check against (default: the newest).
            written: the edition that the sources were written against, as an id or a date (default: the
                lock's).
            changed_since: only files that differ from this git revision.
            lock: a lock (`rulesgraph.lock`): changes since its edition are reported as notes.
            baseline: a file of known findings, which are not reported again.
            notes: also list uncertain findings.
            every: also list numbers that were not checked, because nothing beside them says what they are.

        Columns: path, line, column, citation, number, finding, severity, now, why; findings are those of
        `verify`, with three differences: of the words, only figures and players are compared, and quotations
        are counted (programs quote cards); ``"topic"`` is also reported, without `now`, if nothing around a
        number mentions the mechanic it belongs to; and ``"ignore"`` reports a comment
        ``cite: ignore[topic] why`` that ignores nothing or does not say why. A note says what was read.

        Raises `UsageError` for a path that does not exist, and for a file that is not a lock or baseline,
        `RulesMissingError` if no edition of the comprehensive rules is loaded.

        >>> with open("lantern.rs", "w") as file:
        ...     _ = file.write("fn trim() {}  // CR 301.3: Flutter" + chr(10))
        >>> for row in lanterns.cite("lantern.rs"):
        ...     print(row["path"], row["line"], row["column"], row["number"], row["finding"], row["now"])
        lantern.rs 1 18 301.3 gone 320.4
        """
        from pathlib import Path

        from ...queries.citing.cite import SourceTree, cite
        from ...queries.citing.material import material_of
        from ...queries.citing.settings import read_baseline, read_lock
        from ...queries.verifying.verify import edition_written

        book = material_of(self.session, edition)
        return cite(
            book,
            SourceTree([str(it) for it in paths] or ["."], changed_since),
            written=edition_written(book, written),
            lock=read_lock(Path(lock)) if lock else None,
            baseline=read_baseline(Path(baseline)) if baseline else frozenset(),
            notes=notes,
            every=every,
        ).answer

    def quiz(self, *, seed: int = 0, count: int = 100, edition: str | None = None) -> list[dict[str, Json]]:
        """Generate questions with exact answers from the graph, to test an assistant on the rules.

        Args:
            seed: each seed gives different questions; the same seed gives the same ones on any machine.
            count: how many questions; you get fewer if the edition does not have enough.
            edition: the id or date of an edition of the comprehensive rules (default: the newest).

        Each question is an object with ``id``, ``kind``, ``hops`` (the number of links from the thing named
        to the answer, 1 to 4), ``question``, ``asks`` (``"rules"`` or ``"terms"``), ``answerable``,
        ``answer`` (numbers or names), ``rules`` (those that a good answer rests on), ``chain`` (lists of
        from, link, to) and ``edition``.

        Raises `RulesMissingError` if no edition of the comprehensive rules is loaded.

        >>> first = lanterns.quiz(seed=1, count=1)[0]
        >>> first["question"], first["answer"]
        ('By the rules of 2031-07-01: Which rule defines Keeper?', ['100.1'])
        """
        from ...queries.questioning.making import EditionLinks, make

        return [it.record() for it in make(EditionLinks(self.session, edition), seed, count)]

    def mark(
        self, answers: Iterable[str], *, seed: int = 0, count: int = 100, edition: str | None = None
    ) -> Answer:
        """Score answers to the questions of a `quiz`, with a row for each kind of question and one for all.

        Args:
            answers: lines of JSON, ``{"id": …, "answer": …}``. An answer is a list of numbers or names, or a
                text, of which the cited rules count.
            seed: the seed of the quiz; `count` and `edition` must be the same too.
            count: how many questions there were.
            edition: the edition they were about.

        Columns: kind, hops, questions, answered, exact (the share of answers that equal the right one),
        precision, recall. A missing answer counts as wrong.

        Raises `UsageError` for a line that is not an answer, and if all answers belong to other questions.

        >>> lanterns.mark([], seed=1, count=1).rows[-1]
        ('all', None, 1, 0, 0.0, 0.0, 0.0)
        """
        from ...queries.questioning.making import EditionLinks, make
        from ...queries.questioning.scoring import read_answers, score

        return score(make(EditionLinks(self.session, edition), seed, count), read_answers(answers, "answers"))

    def check(  # noqa: PLR0913 (what to check, and the bounds of the reasoner)
        self,
        *,
        edition: str | None = None,
        shapes: bool | str | Path = False,
        reason: bool = False,
        explain: bool = False,
        own: str | Path | None = None,
        seconds: float = 300,
        megabytes: int = 2000,
        files: bool = False,
        progress: Callable[[str, int, int], None] | None = None,
    ) -> Answer:
        """List the defects in the documents and in the graph: contradictions, broken shapes, then the others.

        Args:
            edition: the edition to check, see `Rules`; only one edition with `shapes`.
            shapes: also validate the graph against the built-in SHACL shapes, or those in a Turtle file
                (needs pySHACL).
            reason: also reason over the facts, and write the inferred statements into the store (needs Java).
            explain: with `reason`, use Pellet to explain each contradiction; it is slower than HermiT.
            own: with `reason`, a Turtle file of your own statements to include in the reasoning; nothing is
                written to the store then.
            seconds: with `reason`, how long the reasoner may take.
            megabytes: with `reason`, how much memory the reasoner may use.
            files: only check that the store is intact: each file by its checksum, each graph by its number of
                statements. (Files are always checked.)
            progress: called with what is being done, how much of it is done, and the total.

        Columns: severity (``"error"``, ``"warning"`` or ``"info"``), check, subject, document, line, message,
        quote, since (the earliest loaded edition that already had the defect).

        Raises:
            UsageError: for `shapes` without pySHACL, and for files that cannot be read.
            StoreError: for a store that is damaged.
            ReasonerError: if the reasoner cannot be run, or needs more time or memory than it may use.

        >>> rules.check().rows
        ()
        """
        from ...queries.checking.defects import defects, verify_files, verify_store

        if files:
            return verify_store(self.session)
        report = progress or (lambda *_: None)
        total, done = 2 + bool(shapes) + reason, 0
        report("checking", done, total)
        verify_files(self.session)
        report("checking", done := done + 1, total)
        if reason and (seconds <= 0 or megabytes <= 0):
            raise UsageError("the reasoner needs time and memory", way_out="Give more than 0.")
        found = defects(self.session, edition=edition)
        report("checking", done := done + 1, total)
        if shapes:
            from ...queries.checking.conclusions import violations

            file = "" if shapes is True else str(shapes)
            found = found._replace(rows=(*violations(self.session, edition, file, progress), *found.rows))
            report("checking", done := done + 1, total)
        if reason:
            reasoned = _reasoned(self.session, edition, own, explain, seconds, megabytes)
            found = found._replace(rows=(*reasoned.rows, *found.rows), notes=(*found.notes, *reasoned.notes))
            report("checking", total, total)
        return found


def _reasoned(
    session: Session,
    edition: str | None,
    own: str | Path | None,
    explain: bool,
    seconds: float,
    megabytes: int,
) -> Answer:
    """Return the contradictions; write inferences into the store, unless the user's statements took part."""
    from ...queries.checking.conclusions import conclude

    theirs = None
    if own:
        from ...queries.checking.statements import Own, read_turtle

        theirs = Own(str(own), read_turtle(str(own)))
    findings, inferred = conclude(
        session, edition, own=theirs, explain=explain, seconds=seconds, megabytes=megabytes
    )
    if theirs:
        note = f"Nothing was written to the store, because the conclusions also rest on {theirs.name}."
    elif not findings.notes:
        from ...loaders.build import INFERRED, write_inferred

        count = write_inferred(session.store, inferred)
        place = without_password(session.store.location)
        undo = in_a_list([f"`rulesgraph drop {name}{INFERRED}`" for name in inferred])
        note = f"{count:,} statements were inferred; they are in {place}. To remove them: {undo}."
    else:
        return findings
    return findings._replace(notes=(note, *findings.notes))
