"""A store of rules as one object: what can be asked of it, and what can be made from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, BinaryIO

from ...loaders.http.shown import without_password
from ...loaders.store import open_store
from ...queries.session import Session
from .asking import Asking
from .examining import Examining

if TYPE_CHECKING:
    from pathlib import Path

    import rdflib

    from ...loaders.history.authority import Coverage
    from ...loaders.store import Store
    from ...queries.session import Answer, Edition
    from .picture import Picture


def open(store: str | Path = "rulesgraph-store", *, timeout: float | None = None) -> Rules:
    """Open a store for reading.

    Args:
        store: a folder, or the ``http(s)://`` address of a SPARQL 1.1 endpoint. What is built in memory is
            opened already: it is `Report.rules`.
        timeout: how many seconds each query may take; None for as long as it takes, and for 60 where `sparql`
            asks. A query with a limit runs in a process of its own, with 4 GB of memory at most.

    Raises:
        StoreMissingError: when nothing was ever built there.
        StoreError: when the store or the endpoint cannot be used.
        UsageError: for an address that is neither a folder nor an endpoint.

    >>> rulesgraph.open("no-such-folder")
    Traceback (most recent call last):
    rulesgraph.ontology.errors.StoreMissingError: no-such-folder: ...
    """
    return Rules(open_store(store), timeout=timeout)


class Rules(Asking, Examining):
    """The rules documents of a store; `open` and `build` make it.

    It shows one state of the store until `refresh` is called. Answers say which edition they come from.
    ``edition`` is the id of an edition, several (``"A,B"``) or ``"all"``; without it an answer comes from
    the newest loaded edition in which everything that the question names stands.

    Every method that takes the name of a thing, an edition or a question raises `UnknownNameError`, with
    suggestions, for a name that stands for nothing, and `UsageError` for one that may be several things;
    every method raises `StoreError` when the store cannot be read and `StoreTimeoutError` when a query
    takes longer than it may.

    Attributes:
        location: where the store is, without a password; ``":memory:"`` for one that ends with the process.

    >>> rules
    Rules(':memory:')
    """

    def __init__(self, store: Store, *, timeout: float | None = None) -> None:
        self.session = Session(store, timeout=timeout)
        self.location = without_password(store.location)

    def __repr__(self) -> str:
        return f"Rules({self.location!r})"

    def refresh(self) -> None:
        """Look at the newest state of the store from now on.

        >>> rules.refresh()
        """
        if not self.session.store.refresh():
            return
        self.session = Session(self.session.store, timeout=self.session.timeout)
        self.__dict__.pop("editions", None)

    @cached_property
    def editions(self) -> tuple[Edition, ...]:
        """Every loaded edition, the newest first, each with its documents.

        >>> [(edition.id, edition.current, len(edition.documents)) for edition in rules.editions]
        [('starter', True, 4)]
        """
        return self.session.editions()

    def contents(self) -> Answer:
        """Count what is loaded: columns edition, issued, current, kind, entries, rules; newest first.

        >>> [(row["edition"], row["entries"], row["rules"]) for row in rules.contents()]
        [('starter', 92, 61)]
        """
        from .tables import contents

        return contents(self.session)

    def drop(self, edition: str, *, progress: Callable[[str, int, int], None] | None = None) -> None:
        """Take an edition out of the store, renew all that rested on it, and look at the result.

        `progress` is called with what is being done, how much of it is done, and how much there is.

        Raises `StoreLockedError` when somebody else is writing to the store.

        >>> passing = rulesgraph.build(store=":memory:").rules
        >>> passing.drop("starter")
        >>> passing.editions
        ()
        """
        from ...loaders.build import drop

        drop(edition, self.session.store, progress=progress)
        self.refresh()

    def check(
        self,
        *,
        edition: str | None = None,
        shapes: bool | str | Path = False,
        reason: bool = False,
        explain: bool = False,
        own: str | Path | None = None,
        seconds: float = 300,
        megabytes: int = 2000,
    ) -> Answer:
        """List the defects of the documents and of the graph, the gravest first.

        Args:
            edition: see `Rules`; one at a time with `shapes`.
            shapes: True to hold the graph against our SHACL shapes as well, or a Turtle file of your own.
            reason: whether to reason over the facts too. What follows is written into the store.
            explain: whether Pellet, slower than HermiT, explains each contradiction.
            own: a Turtle file of statements to reason over as well; then nothing is written.
            seconds: how long the reasoner may take.
            megabytes: how much memory the reasoner may take.

        Columns: severity (``"error"``, ``"warning"`` or ``"info"``), check, subject, document, line, message,
        quote, since (the earliest loaded edition from which the defect has stood there).

        Raises:
            UsageError: for `shapes` without pySHACL, and for files that cannot be read.
            ReasonerError: when the reasoner cannot be run, or needs more than it may take.

        >>> rules.check().rows
        ()
        """
        from .checking import Reasoning, check

        reasoning = Reasoning(explain, own, seconds, megabytes) if reason else None
        return check(self.session, edition, shapes, reasoning)

    def export(
        self,
        notation: str,
        path: str | Path | BinaryIO,
        *,
        edition: str | None = None,
        words: bool = True,
        chunk: str | None = None,
        framed: bool = False,
    ) -> None:
        """Write the graph as a file of linked data, or as a graph for other programs, in UTF-8.

        Args:
            notation: ``"turtle"``, ``"ntriples"``, ``"nquads"``, ``"trig"``, ``"jsonld"``, ``"rdfxml"``,
                ``"graphml"``, ``"csv"`` (links), ``"skos"`` (the terms as a thesaurus, in Turtle) or
                ``"jsonl"`` (passages, one a line). N-Quads and TriG keep the named graphs apart, and hold
                all of them unless an edition is named.
            path: where to write it, whole or not at all (``"-"``: stdout); or a stream of bytes.
            edition: see `Rules`.
            words: False leaves the words of the documents out.
            chunk: with ``"jsonl"``, how much is one passage: ``"subrule"`` (every number by itself; so it is
                unless told), ``"rule"`` (with its subrules; an entry whole) or ``"entry"`` (entries alone).
            framed: with ``"jsonld"``, one tree of nodes for each rule and each entry, and nothing else, so
                that a file of any size can be written and read piece by piece.

        Raises `UsageError` for another notation, or a place that cannot be written.

        >>> import io
        >>> links = io.BytesIO()
        >>> rules.export("csv", links)
        >>> links.getvalue().decode().splitlines()[0]
        'source,source_kind,source_label,link,target,target_kind,target_label'
        """
        from ...queries.export.export import export
        from ..files import output_file

        with output_file(path) if isinstance(path, str | PathLike) else nullcontext(path) as out:
            export(self.session, notation, out, edition=edition, words=words, chunk=chunk, framed=framed)

    def picture(
        self,
        *,
        around: str | None = None,
        depth: int = 1,
        answer: str | Sequence[str] = (),
        edition: str | None = None,
        limit: int | None = None,
        editions: str | Sequence[str] | None = None,
        whole: bool = False,
        path: str | Path | None = None,
    ) -> Picture:
        """Draw an interactive graph: one HTML page that asks no other host for anything.

        Args:
            around: a term or number, to draw what is linked to it.
            depth: with `around`, how many links away.
            answer: a question in words, or the name of one and its arguments, to draw the rows of its answer.
            edition: see `Rules`.
            limit: how many things are shown at most (around a thing or in an answer: 300); without `around`
                and `answer`, how many of the most connected things.
            editions: ids of editions (``"A,B"``), or ``"all"``: the map through time, with a slider by date;
                with `answer`, what the answer is in each of them.
            whole: with `answer`, light it up on the map however small it is.
            path: where to write the page as well.

        Without `around`, `answer` and `limit` the whole edition is drawn as a map. So is an answer of more
        than 70 rows, a chain, common ground, or the changes of a release; a smaller one is a graph of what it
        names. In a notebook the picture shows itself.

        >>> picture = rules.picture(around="Life")
        >>> picture
        Picture(title='Life', things=7, links=8)
        """
        from .picture import Sketch, draw

        asked = (answer,) if isinstance(answer, str) else answer
        drawn = draw(self.session, Sketch(around, depth, asked, edition, limit, editions, whole))
        if path is not None:
            drawn.write(path)
        return drawn

    def to_rdflib(self, *, edition: str | None = None) -> rdflib.Graph:
        """Return what a question sees as one rdflib graph with the usual prefixes bound.

        >>> graph = rules.to_rdflib()
        >>> len(graph) > 1000
        True
        """
        from ...queries.export.graphs import rdflib_graph

        return rdflib_graph(self.session, edition)

    def authority(self, path: str | Path | BinaryIO, *, extend: str | Path | None = None) -> Coverage:
        """Write the permanent ids of provisions for the loaded editions of the comprehensive rules.

        Args:
            path: where to write the file, whole or not at all (``"-"``: stdout); or a stream of bytes.
            extend: the file to go on from: its ids stay, editions that it lacks are added.

        Returns what the file holds.

        Raises `UsageError` when no edition of the comprehensive rules is loaded, for a file that is no
        authority file, and for a place that cannot be written.

        >>> rules.authority("provisions.tsv")  # the starter rules are a glossary: they hold no numbered rules
        Traceback (most recent call last):
            ...
        rulesgraph.ontology.errors.UsageError: no edition of the comprehensive rules is loaded
          load some with `rulesgraph build`
        """
        from ...loaders.history.extending import extended, read_authority, rules_in
        from ..files import output_file

        known = read_authority(extend)
        found = extended(known, rules_in(self.session.store, self.session.iris))
        with output_file(path) if isinstance(path, str | PathLike) else nullcontext(path) as out:
            out.write(found.text().encode())
        return found.coverage

    def testimony(self, path: str | Path | BinaryIO) -> int:
        """Write, as checksums, what the loaded editions of the comprehensive rules say: no words, no text.

        Args:
            path: where to write the file, whole or not at all (``"-"``: stdout); or a stream of bytes.

        Returns how many editions it holds. Raises `UsageError` for a place that cannot be written.

        >>> rules.testimony("testimony.tsv")  # the starter rules are none
        0
        """
        from ...queries.checking.losses import testimony_in
        from ..files import output_file

        found = testimony_in(self.session)
        with output_file(path) if isinstance(path, str | PathLike) else nullcontext(path) as out:
            out.write(found.text().encode())
        return len(found.editions)
