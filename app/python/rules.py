"""A store of rules as one object: everything that can be asked of it, and written from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from math import inf
from os import PathLike
from typing import TYPE_CHECKING, BinaryIO, Self

from ...loaders.http.addresses import without_password
from ...ontology import UnknownNameError, UsageError
from ..files import output_file, usual_store
from ..operations import typed, typed_methods
from .asking import Asking
from .examining import Examining
from .things import Things

if TYPE_CHECKING:
    from pathlib import Path

    import rdflib

    from ...loaders.history.authority import Coverage
    from ...loaders.store import Store
    from ...queries.session import Answer, Edition
    from .picture import Picture


@typed
def open(store: str | Path | None = None, *, timeout: float | None = None) -> Rules:
    """Open a store for reading.

    Args:
        store: a folder, or the ``http(s)://`` address of a SPARQL 1.1 endpoint (default: the environment
            variable ``RULESGRAPH_STORE``, else ``rulesgraph-store``). A store in memory does not need to be
            opened: it is `Report.rules`.
        timeout: how many seconds each query may take (default: no limit, but 60 seconds for `sparql`). A
            query with a limit runs in its own process, with at most 4 GB of memory.

    Raises:
        StoreMissingError: if there is no store there.
        StoreError: if the store or the endpoint cannot be used.
        UsageError: for an address that is neither a folder nor an endpoint, and a timeout that is 0 or
            less, or endless.

    >>> rulesgraph.open("no-such-folder")
    Traceback (most recent call last):
    rulesgraph.ontology.errors.StoreMissingError: no-such-folder: ...
    """
    return Rules(store or usual_store(), timeout=timeout)


@typed_methods
class Rules(Asking, Things, Examining):
    """The rules documents of a store; `open` and `build` return one.

    You see one state of the store until you call `refresh`. Answers say which edition they come from.
    ``edition`` is the id of an edition, several ids (``"A,B"``) or ``"all"``. Without it, an answer comes
    from the newest loaded edition that has everything the question names. ``limit`` means the same
    everywhere: you get at most that many rows, and `Answer.more` counts the rest.

    Methods that take the name of a thing, an edition or a question raise `UnknownNameError`, with
    suggestions, if the name is unknown, and `UsageError` if it is ambiguous. Every method raises `StoreError`
    if the store cannot be read, and `StoreTimeoutError` if a query takes too long.

    Attributes:
        location: where the store is, without a password; ``":memory:"`` for a store that lasts as long as the
            process.

    >>> rules
    Rules(':memory:')
    """

    def __init__(self, store: Store | str | Path, *, timeout: float | None = None) -> None:
        # The help needs only the methods here: what opens and queries a store is imported where it is used.
        from ...loaders.store import open_store
        from ...queries.session import Session

        if timeout is not None and not 0 < timeout < inf:
            way_out = "Give more than 0, or None for no limit."
            raise UsageError(f"the timeout of {store} is {timeout} seconds", way_out=way_out)
        opened = open_store(store) if isinstance(store, str | PathLike) else store
        self.session = Session(opened, timeout=timeout)
        self.location = without_password(opened.location)

    def __repr__(self) -> str:
        return f"Rules({self.location!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the files and processes of the store, as ``with rulesgraph.open(…) as rules`` does.

        If you ask another question afterwards, the store is opened again in its newest state.

        >>> with rulesgraph.build(store=":memory:").rules as other:
        ...     len(other.editions)
        1
        """
        self.session.store.close()
        self._start_session()

    def refresh(self) -> None:
        """Switch to the newest state of the store.

        >>> rules.refresh()
        """
        if self.session.store.refresh():
            self._start_session()

    def _start_session(self) -> None:
        from ...queries.session import Session

        self.session = Session(self.session.store, timeout=self.session.timeout)
        self.__dict__.pop("editions", None)

    @cached_property
    def editions(self) -> tuple[Edition, ...]:
        """Every loaded edition, newest first, with its documents.

        >>> [(edition.id, edition.current, len(edition.documents)) for edition in rules.editions]
        [('starter', True, 4)]
        """
        return self.session.editions()

    def contents(self) -> Answer:
        """List the loaded editions, newest first: columns edition, issued, current, kind, entries, rules.

        >>> [(row["edition"], row["entries"], row["rules"]) for row in rules.contents()]
        [('starter', 92, 61)]
        """
        from ...queries.session import Answer

        kinds = {"entries": "Entry", "rules": "Rule"}
        rows = tuple(
            (
                edition.id,
                edition.issued,
                edition.current,
                ", ".join(dict.fromkeys(document.kind for document in edition.documents)),
                *(edition.counts.get(name, 0) for name in kinds.values()),
            )
            for edition in self.session.counted()
        )
        return Answer("editions", ("edition", "issued", "current", "kind", *kinds), rows)

    def drop(self, edition: str, *, progress: Callable[[str, int, int], None] | None = None) -> None:
        """Remove an edition from the store, update what depends on it, and switch to the new state.

        Args:
            edition: the id of the edition; ``ID/inferred`` removes only what `check` inferred from it.
            progress: called with what is being done, how much of it is done, and the total.

        Raises `UnknownNameError` for anything but such an id, and `StoreLockedError` if another process
        is writing to the store.

        >>> other = rulesgraph.build(store=":memory:").rules
        >>> other.drop("starter")
        >>> other.editions
        ()
        """
        from ...loaders.build import drop
        from ...queries.session import unknown_edition

        try:
            drop(edition, self.session.store, progress=progress)
        except UnknownNameError as error:
            raise unknown_edition(edition, self.session.editions()) from error
        self.refresh()

    def export(
        self,
        notation: str,
        path: str | Path | BinaryIO,
        *,
        edition: str | None = None,
        words: bool = True,
        chunk: str | None = None,
        min_chars: int = 80,
        framed: bool = False,
    ) -> None:
        """Write the graph as linked data, or in a format for other programs, in UTF-8.

        Args:
            notation: ``"turtle"``, ``"ntriples"``, ``"nquads"``, ``"trig"``, ``"jsonld"``, ``"rdfxml"``,
                ``"graphml"``, ``"csv"`` (links), ``"skos"`` (the terms as a thesaurus, in Turtle),
                ``"jsonl"`` (passages, one per line) or ``"citations"`` (what `cite` needs to work without a
                store, without text: numbers of every edition, titles, and checksums of word stems). N-Quads
                and TriG keep named graphs separate, and contain all of them unless you name an edition.
            path: the file to write, completely or not at all (``"-"``: stdout); or a binary stream.
            edition: see `Rules`.
            words: False leaves out the text of the documents.
            chunk: with jsonl, the size of a passage: subrule (each number by itself, the default), rule (with
                its subrules; whole entries), or entry (only entries).
            min_chars: with jsonl, join headings shorter than this with the first passage under them; 1 joins
                none.
            framed: with jsonld, write one tree of nodes for each rule and entry, so that a file of any size
                can be read piece by piece.

        Raises `UsageError` for an unknown notation, or a file that cannot be written.

        >>> import io
        >>> links = io.BytesIO()
        >>> rules.export("csv", links)
        >>> links.getvalue().decode().splitlines()[0]
        'source,source_kind,source_label,link,target,target_kind,target_label'
        """
        if notation == "citations":
            from ...queries.citing.material import material_of, write_material

            book = material_of(self.session, edition)
            with output_file(path) as out:
                write_material(book, out)
            return
        from ...queries.export.export import export

        with output_file(path) as out:
            export(
                self.session,
                notation,
                out,
                edition=edition,
                words=words,
                chunk=chunk,
                min_chars=min_chars,
                framed=framed,
            )

    def picture(  # noqa: PLR0913 (what there is to draw, and how much of it)
        self,
        *,
        around: str | None = None,
        depth: int = 1,
        answer: str | Sequence[str] = (),
        cited: str | Sequence[str] = (),
        edition: str | None = None,
        limit: int | None = None,
        editions: str | Sequence[str] | None = None,
        whole: bool = False,
        path: str | Path | None = None,
        progress: Callable[[str, int, int], None] | None = None,
    ) -> Picture:
        """Draw an interactive graph as one HTML page that loads nothing from other hosts.

        Args:
            around: draw what is linked to this term or rule, or the rules of this card.
            depth: with `around`, up to this many links away; 0 draws only the thing itself.
            answer: draw the rows of an answer: to a question in words, or to a named question with its
                arguments.
            cited: show on the map which rules these files and folders cite, as `cite` reads them.
            edition: see `Rules`.
            limit: show at most this many things (default: 300 around a thing or in an answer); without
                `around` and `answer`, the most connected ones.
            editions: a map through time, with a date slider, over these editions (A,B) or all; with `answer`,
                the answer in each edition.
            whole: with `answer`, use the map even for a small answer (otherwise a graph of the things it
                names).
            path: also write the page to this file.
            progress: with `editions`, called with what is being done, how much of it is done, and the total.

        Without `around`, `answer` and `limit`, the whole edition is drawn as a map. A map is also used for an
        answer of more than 70 rows, a chain, what two things have in common, and the changes in a release. In
        a notebook, the picture is displayed.

        >>> picture = rules.picture(around="Life")
        >>> picture
        Picture(title='Life', things=7, links=8)
        """
        from .picture import PictureRequest, draw

        asked, paths = ((it,) if isinstance(it, str) else it for it in (answer, cited))
        wanted = PictureRequest(around, depth, asked, paths, edition, limit, editions, whole)
        drawn = draw(self.session, wanted, progress=progress)
        if path is not None:
            drawn.write(path)
        return drawn

    def to_rdflib(self, *, edition: str | None = None) -> rdflib.Graph:
        """Return what a query sees, except tenures, as one rdflib graph with the usual prefixes bound.

        >>> graph = rules.to_rdflib()
        >>> len(graph) > 1000
        True
        """
        from ...queries.export.export import rdflib_graph

        return rdflib_graph(self.session, edition)

    def authority(
        self, path: str | Path | BinaryIO, *, extend: str | Path | None = None, notation: str = "tsv"
    ) -> Coverage:
        """Write the permanent ids of provisions for the loaded editions of the comprehensive rules.

        Args:
            path: the file to write, completely or not at all (``"-"``: stdout); or a binary stream.
            extend: an existing file whose ids are kept and to which missing editions are added. The file
                itself is not changed.
            notation: ``"tsv"`` for the file of ids; or the history of every rule, from the file to extend or
                else the bundled one: ``"turtle"`` as linked data, ``"csv"`` as a table.

        Returns the numbers of provisions, wordings and editions in the file.

        Raises `RulesMissingError` if no edition of the comprehensive rules is loaded, `UsageError` for a file
        of another kind, and for a file that cannot be written.

        >>> rules.authority("provisions.tsv")  # the starter rules are a glossary: they hold no numbered rules
        Traceback (most recent call last):
            ...
        rulesgraph.ontology.errors.RulesMissingError: no edition of the comprehensive rules is loaded
          Load some with `rulesgraph build`.
        """
        if notation not in {"tsv", "turtle", "csv"}:
            raise UsageError(
                f"{notation!r} is not a notation of ids", way_out="Give 'tsv', 'turtle' or 'csv'."
            )
        from ...loaders.history.authority import bundled
        from ...loaders.history.extending import extended, read_authority, rules_in
        from ...queries.export.export import lives_as

        known = bundled() if notation != "tsv" and extend is None else read_authority(extend)
        if notation == "tsv" or extend is not None:
            known = extended(known, rules_in(self.session.store, self.session.iris))
        told = known.text() if notation == "tsv" else lives_as(notation, known, self.session.iris.base)
        with output_file(path) as out:
            out.write(told.encode())
        return known.coverage
