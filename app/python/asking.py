"""What a store of rules can be asked: questions, searches, single things, comparisons of editions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..operations import operation

if TYPE_CHECKING:
    from ...queries.history.diff import Difference
    from ...queries.reliance.levels import Reach
    from ...queries.searching.found import Passages
    from ...queries.session import Answer, Session
    from ...queries.session.answer import Sheet, SparqlAnswer


class Asking:
    """The questions that `Rules` answers, over the session that it holds."""

    session: Session

    @staticmethod
    def questions() -> Answer:
        """List the questions of the catalogue by name: columns name, arguments, question.

        >>> "terms_relying_on" in [row["name"] for row in rules.questions()]
        True
        """
        from ...queries.catalogue.questions import questions
        from ...queries.session import Answer

        rows = tuple(
            (question.name, ", ".join(parameter.usage for parameter in question.parameters), question.title)
            for question in questions()
        )
        return Answer("questions", ("name", "arguments", "question"), rows)

    @operation("command", "tool")
    def ask(
        self,
        question: str,
        *arguments: str,
        via: str | Sequence[str] | None = None,
        steps: int | str | None = None,
        limit: int | None = None,
        edition: str | None = None,
    ) -> Answer:
        """Answer a question of the catalogue, by its name with its arguments, or in words.

        Args:
            question: the name of a question, or a whole question in words.
            arguments: what a named question asks about: terms by any of their names, numbers, dates.
            via: for questions of reliance, the links to follow: some of citation, note, definition and
                mention (default: all of them for the first step, all except mentions for further steps).
            steps: for questions of reliance, follow at most this many links, or ``"all"``.
            limit: give at most this many rows.
            edition: the edition to ask about, see `Rules`.

        Reliance is followed for one step unless `steps` says more; `Answer.notes` say how many more rows
        there are at two and three. If no question of the catalogue fits, the answer is the closest rules, at
        most ten of them unless `limit` asks for more.

        Raises:
            UsageError: for the wrong number of arguments, or a question in words that is not understood.

        >>> answer = rules.ask("Which terms rely on state-based effects?")
        >>> answer.columns
        ('term', 'steps', 'link', 'quote', 'document', 'line', 'through')
        >>> answer.rows[0][:3]
        ('Equipment', 1, 'citation')
        >>> [row["term"] for row in rules.ask("terms_relying_on", "420", via=["note"])]
        ['Poison Counter']
        >>> first = rules.ask("terms_relying_on", "420", limit=3)
        >>> len(first), first.more
        (3, 8)
        """
        from ...queries.answering.ask import ask

        return ask(self.session, question, arguments, edition=edition, reach=_reach(via, steps), limit=limit)

    @operation("command", "tool")
    def search(self, words: str, *, limit: int = 10, edition: str | None = None) -> Passages:
        """Find the rules closest to some words, as `ask` ranks them, then what else contains all of them.

        Args:
            words: a name, a number, slang or any words, in any form; or "phrases", beginnings* and
                conditions, which are looked for as they stand: in:702 (what stands under a number), kind:rule
                (or section, chapter, subrule, heading, example, entry, note, ruling, paragraph), cites:704.5,
                edition:all.
            limit: give at most this many passages.
            edition: the edition to search, see `Rules`; a condition in the words takes precedence.

        Columns: number (None if there is none), text (verbatim), edition, document, line, score (higher is
        better, within one answer), reason, iri. `Passages.marks` gives the places of the words in a text.

        Raises `UsageError` if there is nothing to search for, or a condition is wrong.

        >>> for row in lanterns.search("lit lanterns", limit=2):
        ...     print(row["number"], row["line"], row["reason"])
        201.1 53 speaks of Lantern; has “lit” and “lanterns”
        310.2c 75 speaks of Lantern; has “lit” and “lanterns”
        """
        from ...queries.searching.search import search

        return search(self.session, words, edition=edition, limit=limit)

    @operation("command", "tool")
    def show(self, name: str, *, limit: int | None = None, edition: str | None = None) -> Sheet:
        """Gather everything known about one term, rule, section, entry or ruling, as tables with sources.

        Args:
            name: a term, or the number of a rule, section or entry.
            limit: give at most this many rows of each table.
            edition: the edition to look at, see `Rules`.

        >>> sheet = rules.show("Legend")
        >>> sheet.status, [table.name for table in sheet.tables]
        ('obsolete', ['definition', 'also see', 'cites', 'mentions'])
        """
        from ...queries.sheets.show import show

        found = show(self.session, name, edition=edition)
        return found._replace(tables=tuple(table.limited(limit) for table in found.tables))

    @operation("command", "tool")
    def why(
        self,
        first: str,
        second: str,
        *,
        via: str | Sequence[str] | None = None,
        steps: int | str = "all",
        edition: str | None = None,
    ) -> Answer:
        """Find the shortest chain of links by which the first thing relies on the second.

        Args:
            first: the term, rule or card that relies.
            second: the term or rule that it relies on.
            via: the links to follow: some of citation, note, definition and mention (default: all of them at
                the first step, all except mentions at further steps).
            steps: follow at most this many links, or ``"all"``.
            edition: the edition to ask about, see `Rules`.

        A row for each link; columns: step, from, link, to, quote, document, line. If there is no chain the
        answer has no rows, and its notes say what else the two have in common.

        >>> [(row["from"], row["link"], row["to"]) for row in rules.why("Equipment", "420")]
        [('Equipment', 'citation', '420')]
        """
        from ...queries.cards.current import current_cards
        from ...queries.reliance.chains import why_and_where

        if current_cards(self.session):
            from ...queries.cards.meeting import why_card

            of_card = why_card(self.session, first, second, edition, _reach(via, steps))
            if of_card is not None:
                return of_card
        return why_and_where(self.session, first, second, edition=edition, reach=_reach(via, steps))

    @operation("tool")
    def interaction(
        self, first: str, second: str, *, limit: int | None = None, edition: str | None = None
    ) -> Answer:
        """Find where two things meet: what the rules of both have in common that few others have.

        Args:
            first: a term, rule or card.
            second: another one.
            limit: give at most this many rows.
            edition: the edition to ask about, see `Rules`.

        Columns: ground, number, quote, other_number, other_quote, document; the rarest comes first, with the
        sentences of both side by side. Without a limit there are at most ten rows, and a note says how many
        more there are.

        >>> lanterns.interaction("Flutter", "Moth").columns
        ('ground', 'number', 'quote', 'other_number', 'other_quote', 'document')
        """
        return self.ask("interaction", first, second, limit=limit, edition=edition)

    @operation("command", "tool")
    def trace(
        self,
        number: str,
        start: str | None = None,
        end: str | None = None,
        *,
        every: bool = False,
        limit: int | None = None,
    ) -> Answer:
        """Follow a rule, a range of rules or an entry through the editions of the comprehensive rules.

        Args:
            number: a rule number, a range (502.15-502.17), or the name of a glossary entry; of a release of
                rulings or tournament rules, the number of a paragraph.
            start: the edition of the number (without it: the whole life of the rule, from the newest edition
                that has it).
            end: an edition after or before that one (default: the newest).
            every: list every edition on the way, not only those with a change.
            limit: give at most this many rows.

        Columns: edition, number (or heading), change from the row before, confidence (1.0: same words). For a
        way over several editions, a note sums it up. Of editions that are not loaded the bundled authority
        file knows the numbers and dates of rules since 1999: such rows have no confidence.

        Raises `UsageError` if no edition of the comprehensive rules is loaded.

        >>> for row in lanterns.trace("301.2", "cr-2031-02-01"):
        ...     print(*row.values())
        cr-2031-02-01 301.2  1.0
        cr-2031-07-01 320.2 renumbered 1.0
        """
        if not start:
            return self.history(number).limited(limit)
        from ...queries.history.trace import trace

        return trace(self.session, number, start, end, every=every).limited(limit)

    def history(self, number: str, edition: str | None = None) -> Answer:
        """Follow a rule or entry of an edition, from where it first stood to the newest edition.

        Without an edition, it is looked up in the newest that has it. The columns are those of `trace`, and
        so are the rows of editions that are not loaded. A rule that was split off is followed back to what it
        was part of. Paragraphs of a rulings site or of tournament rules are followed through the
        releases that are loaded. Other texts have no history: no rows, and a note.

        >>> rules.history("G12.9", "starter").notes
        ('Only the comprehensive rules have a history of numbers.',)
        """
        from ...queries.history.trace import history_of

        return history_of(self.session, number, edition)

    @operation("command", "tool")
    def blame(self, name: str, *, edition: str | None = None) -> Answer:
        """Date each sentence of a rule or an entry: since when it reads as it does, and what it said before.

        Args:
            name: a rule number, or the name of a glossary entry.
            edition: an edition of the comprehensive rules (default: the newest that has it), or a release of
                rulings or tournament rules, for the number of a paragraph.

        Columns: sentence; since and number, the edition in which it got its wording and the rule that it then
        stood in; before, what it said until then; first and first_number, where it first stood in any words
        (None where it is older than what is loaded). The numbers that a sentence cites are no part of its
        wording. Notes say where editions are missing: a sentence may be older then.

        Raises `UsageError` if no edition of the comprehensive rules is loaded.

        >>> for row in lanterns.blame("201.2"):
        ...     print(row["since"], row["sentence"])
        cr-2031-07-01 To trim a lantern means to take one oil from it and turn it to the right.
        cr-2031-07-01 A trimmed lantern still counts as lit until the next dusk check is made.
        """
        from ...queries.history.blame import blame

        return blame(self.session, name, edition)

    @operation("command", "tool")
    def diff(
        self,
        before: str,
        after: str,
        *,
        only: str | Sequence[str] | None = None,
        within: str | None = None,
        limit: int | None = None,
    ) -> Difference:
        """Compare two editions of the comprehensive rules: what changed, and which terms rely on it.

        Two releases of a rulings site, or of tournament rules, are compared by paragraphs.

        Args:
            before: the earlier edition, by its id or date.
            after: the later edition.
            only: keep only these changes: added, removed, reworded (moved or not), renumbered (with the same
                words), moved (to another number or name, reworded or not), references (only the numbers of
                cited rules), split, merged.
            within: keep only changes in this chapter or rule, by its number in either edition.
            limit: give at most this many changes, and at most this many terms.

        `Difference.changes` has the columns change (in the words of `trace`), kind, before, after, words:
        removed words stand in ``[-…-]``, new ones in ``{+…+}``. `Difference.chapters` counts the changes by
        chapter. `Difference.terms` has the columns term, links, rests on.

        Raises `UsageError` for an unknown change or number, and if no edition of the comprehensive rules is
        loaded.

        >>> found = lanterns.diff("cr-2031-02-01", "cr-2031-07-01")
        >>> found.changes.rows[2][:4]
        ('reworded', 'rule', '201.2', '201.2')
        >>> found.terms.rows[0]
        ('Drift', 2, '320.3, 320.3a')
        >>> [row["before"] for row in lanterns.diff("cr-2031-02-01", "cr-2031-07-01", only="removed").changes]
        ['202.2']
        """
        from ...queries.history.diff import diff

        found = diff(self.session, before, after, only=only, within=within)
        return found._replace(changes=found.changes.limited(limit), terms=found.terms.limited(limit))

    @operation("command", "tool")
    def sparql(self, query: str, *, edition: str | None = None) -> SparqlAnswer:
        """Run a SPARQL 1.1 query of any form.

        Args:
            query: the query.
            edition: the edition to see alone, see `Rules`.

        The usual prefixes need no declaration: rg, game, skos, dcterms, prov, rdf, rdfs, owl, xsd; term, ed
        and doc for the data of this store. A plain pattern sees the newest edition and the rules it was made
        under; GRAPH sees everything; `edition` limits both.

        The answer to an ASK is true or false; that to a CONSTRUCT or DESCRIBE has a row for each triple, and
        the triples themselves.

        Raises `UsageError` for a query that does not parse, would write, or would ask another host,
        `StoreTimeoutError` after 60 seconds, or the timeout given to `open`, and `StoreError` for a query
        that needs too much memory. A query on a store in memory cannot be stopped.

        >>> rules.sparql("SELECT ?name { term:landwalk skos:prefLabel ?name }").rows
        (('Landwalk',),)
        >>> bool(rules.sparql("ASK { term:landwalk a rg:Term }"))
        True
        >>> len(rules.sparql("DESCRIBE term:landwalk").triples) > 3
        True
        """
        from ...queries.session.answer import as_answer

        return as_answer(self.session.sparql(query, edition=edition))


def _reach(via: str | Sequence[str] | None, steps: int | str | None) -> Reach | None:
    """Return how far, and over which links, an answer may reach; None if neither is given."""
    if via is None and steps is None:
        return None
    from ...queries.reliance.levels import reach_of

    return reach_of(via if via is None or isinstance(via, str) else ",".join(via), steps)
