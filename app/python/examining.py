"""What others say of the rules, held against the graph: texts with citations, answers to questions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...queries.session import Session

if TYPE_CHECKING:
    from datetime import date

    from ...ontology.json_values import Json
    from ...queries.session import Answer


class Examining:
    """What examines: the half of `Rules` that is given texts and answers, over the session that it holds."""

    session: Session

    def verify(
        self,
        text: str,
        *,
        edition: str | None = None,
        asof: str | date | None = None,
        every: bool = False,
    ) -> Answer:
        """Hold the citations of rules in any text, and the words quoted beside them, against the rules.

        Args:
            text: Markdown, plain text, program comments, a chat; a bare number counts where it can only be
                that of a rule, not a price, a version or a date.
            edition: the id or date of the edition to hold it against; by default the newest.
            asof: a day, for the edition that was in force then.
            every: whether citations that nothing is wrong with have a row as well: `finding` is ``"stands"``.

        Columns: line, column (both from 1), citation, number, finding, now, message, quote, edition, iri; a
        row for each finding: ``"unknown"``, ``"moved"``, ``"removed"``, ``"later"``, ``"reworded"``,
        ``"title"``, ``"words"`` or ``"not loaded"``. `now` are the numbers to look at instead. What a text
        says of the meaning of terms is not judged.

        Raises `UsageError` for what is no date, and for a day before the oldest loaded edition.

        >>> for row in lanterns.verify("See rule 301.3, and rule 201.2: 'turn it to the left'."):
        ...     print(row["column"], row["number"], row["finding"], row["now"], row["message"])
        5 301.3 moved 320.4 301.3 of cr-2031-02-01 is 320.4 in cr-2031-07-01
        21 201.2 reworded None so 201.2 read in cr-2031-02-01
        """
        from ...queries.verifying.verify import verify

        return verify(self.session, text, edition=edition, asof=asof, every=every)

    def quiz(self, *, seed: int = 0, count: int = 100, edition: str | None = None) -> list[dict[str, Json]]:
        """Make questions with exact answers from the graph, to measure an assistant on the rules.

        Args:
            seed: another seed gives other questions; the same gives the same on any machine.
            count: how many; of an edition that does not hold so many there are fewer.
            edition: the id or date of an edition of the comprehensive rules; by default the newest.

        Each is an object with ``id``, ``kind``, ``hops`` (links from what is named to the answer, 1 to 4),
        ``question``, ``asks`` (``"rules"`` or ``"terms"``), ``answerable``, ``answer`` (numbers or names),
        ``rules`` (those that a good answer rests on), ``chain`` (lists of from, link, to) and ``edition``.

        Raises `UsageError` when no edition of the comprehensive rules is loaded.

        >>> first = lanterns.quiz(seed=1, count=1)[0]
        >>> first["question"], first["answer"]
        ('By the rules of 2031-07-01: Which rule defines Keeper?', ['100.1'])
        """
        from ...queries.questioning.knowledge import Knowledge
        from ...queries.questioning.making import make

        return [it.record() for it in make(Knowledge(self.session, edition), seed, count)]

    def mark(
        self, answers: Iterable[str], *, seed: int = 0, count: int = 100, edition: str | None = None
    ) -> Answer:
        """Say how right the answers to the questions of a `quiz` are: a row for each kind, and one for all.

        Args:
            answers: lines of JSON, ``{"id": …, "answer": …}``: a list of numbers or names, or a text, of
                which the cited rules count.
            seed: that of the quiz, as are `count` and `edition`.
            count: how many questions there were.
            edition: of which edition they were.

        Columns: kind, hops, questions, answered, exact (the share of answers that are the gold and nothing
        else), precision, recall. What is not answered counts as wrong.

        Raises `UsageError` for a line that is no answer, and when all are to other questions.

        >>> lanterns.mark([], seed=1, count=1).rows[-1]
        ('all', None, 1, 0, 0.0, 0.0, 0.0)
        """
        from ...queries.questioning.knowledge import Knowledge
        from ...queries.questioning.making import make
        from ...queries.questioning.scoring import read_answers, score

        return score(make(Knowledge(self.session, edition), seed, count), read_answers(answers, "answers"))
