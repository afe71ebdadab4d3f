"""A server of the Model Context Protocol over the tools, on stdio, or on HTTP for this machine alone."""

from __future__ import annotations

import functools
import itertools
import threading
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any

import anyio
from mcp import MCPError
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import INVALID_PARAMS, CallToolResult, TextContent, ToolAnnotations
from pydantic import ValidationError

from ...loaders.http.addresses import is_loopback
from ...ontology import Iris, RulesgraphError, StoreError, UsageError, compact
from ..listening import address_of, listening
from ..python.rules import Rules
from ..trouble import end_in_time
from .replies import in_tool_words
from .toolbox import EVERYWHERE, MOST_ROWS, MOST_TOKENS, tools
from .toolbox import Tool as Work

NAME = "rulesgraph"

_INSTRUCTIONS = (
    "The rules of Magic: The Gathering as a graph. Every answer gives its edition, document, line and IRIs; "
    "its rows are verbatim, or quote the sentence they are based on. Rule numbers change between editions: "
    "cite a number with its edition, quote its text, and run `verify` on your answer before you give it. "
    f"{EVERYWHERE}"
)

_WHOLE = {"limit": MOST_ROWS, "tokens": MOST_TOKENS}
"""The size of a resource for a rule or a term: the maximum of one reply."""

_SIGN_SECONDS = 3.0
"""The seconds between two notifications of progress."""

_ANSWER = """\
Answer this question about the rules of the game: {question}

1. Find the rules that matter: `ask` with the question, `search` with its words, `card` for each card in it,
   `term` for each name, `interaction` for two things that affect each other. Read the rules with `rule`.
2. Answer from these rules alone. After each statement give the number of the rule in the form (rule 123.4a).
   If the wording matters, quote it beside the number, with "…" for words you leave out.
3. Say which edition the numbers are from. If the rules do not settle the question, or `answered` is false,
   say so.
4. Run `verify` on the whole answer. Correct what it finds and run it again, until it finds nothing.
"""

_CHECK = """\
Check the rule citations in the text below: run `verify` on it with `every`, read each cited rule with
`rule`, and say for each citation whether it is correct, where the rule moved, and whether the rule says so.

{text}
"""


def server(rules: Rules) -> MCPServer[Any]:
    """Return a server with the tools, resources and prompts over one store.

    Raises `StoreError` when the store cannot be read.
    """
    from importlib.metadata import version

    offered = tools(rules)
    reads = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    built = _Server(
        NAME,
        instructions=_INSTRUCTIONS,
        version=version("rulesgraph"),
        log_level="WARNING",
        tools=[
            _PlainTool.from_function(
                _as_tool(it, rules.session.store.location), annotations=reads, structured_output=True
            )
            for it in offered.values()
        ],
    )
    built.iris = rules.session.iris
    _add_resources(built, offered, built.iris.base)
    _add_prompts(built)
    return built


def serve_http(rules: Rules, host: str, port: int, ready: Callable[[str], object]) -> None:
    """Serve over streamable HTTP at ``/mcp`` until the process is stopped; call `ready` with the address.

    Raises `UsageError` for an address that other machines can reach, or that is in use.
    """
    if not is_loopback(host):
        raise UsageError(f"{host} can be reached from other machines", way_out="Use 127.0.0.1 or ::1.")
    import uvicorn

    class ImpatientServer(uvicorn.Server):
        """A server that does not wait for tools when it is stopped: a query may take long."""

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            super().handle_exit(sig, frame)
            threading.Thread(target=end_in_time, args=(128 + sig,), daemon=True).start()

    with listening(host, port) as taken:
        app = server(rules).streamable_http_app(host=host)
        ready(f"{address_of(taken, host)}mcp")
        config = uvicorn.Config(app, log_level="warning")
        anyio.run(functools.partial(ImpatientServer(config).serve, sockets=[taken]))


class _Server(MCPServer[Any]):
    """A server that reports a bad request for a prompt as the client's mistake.

    For a part of a rule or an entry, such as a paragraph that `search` found, it returns the whole.
    """

    iris: Iris

    async def read_resource(self, uri: Any, *given: Any, **more: Any) -> Any:
        """Return a resource. Raises `ResourceNotFoundError` if there is none."""
        place = self.iris.parse(str(uri))
        return await super().read_resource(self.iris.iri(place.whole) if place.parts else uri, *given, **more)

    async def get_prompt(self, name: str, *given: Any, **more: Any) -> Any:
        """Return a prompt. Raises `MCPError` for an unknown one, and for missing arguments."""
        try:
            return await super().get_prompt(name, *given, **more)
        except ValueError as error:
            known = {it.name: [one.name for one in it.arguments or ()] for it in await self.list_prompts()}
            wrong = f"`{name}` needs" if name in known else f"There is no prompt `{name}`: there are"
            raise MCPError(INVALID_PARAMS, f"{wrong} {', '.join(known.get(name, known))}.") from error


class _PlainTool(Tool):
    """A tool that explains errors in its arguments in plain words, and refuses unknown ones."""

    def model_post_init(self, context: Any, /) -> None:
        """Refuse unknown arguments: a misspelt limit would have no effect.

        To keep the schema short, it leaves out titles, and that optional arguments may be null.
        """
        arguments = self.fn_metadata.arg_model
        arguments.model_config["extra"] = "forbid"
        arguments.model_rebuild(force=True)
        self.parameters["additionalProperties"] = False
        self.parameters.pop("title")
        for it in self.parameters["properties"].values():
            kinds = [kind for kind in it.pop("anyOf", ()) if kind["type"] != "null"]
            it.update({"anyOf": kinds} if len(kinds) > 1 else dict(*kinds))
            del it["title"]
            it.pop("minimum", None)  # a number that is too small gets a message in words
            if not it.get("default"):
                it.pop("default", None)
        if self.fn_metadata.output_schema:
            self.fn_metadata.output_schema = {"type": "object"}

    async def run(
        self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False
    ) -> Any:
        """Run the tool, and report progress every few seconds.

        Raises `ToolError` for correctable mistakes, in the words of the tools.
        """
        failed: ToolError | MCPError
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_tell_progress, context)
            try:
                return await super().run(arguments, context, convert_result)
            except (ToolError, MCPError) as error:
                failed = error
            finally:
                tasks.cancel_scope.cancel()
        match failed.__cause__:
            case ValidationError() as wrong:
                raise ToolError(_wrong_arguments(wrong, [*self.parameters["properties"]])) from failed
            case ToolError() as ours:
                raise ours from failed
        raise failed


async def _tell_progress(context: Context[Any, Any]) -> None:
    """Report how long a call has run, if the client asked: the first call for an edition may be slow."""
    for passed in itertools.count(_SIGN_SECONDS, _SIGN_SECONDS):
        await anyio.sleep(_SIGN_SECONDS)
        await context.report_progress(passed, message="still working")


def _wrong_arguments(error: ValidationError, known: list[str]) -> str:
    """Return what is wrong with some arguments, one sentence for each."""
    said = {}
    for it in error.errors():
        name = str(it["loc"][0])
        match it["type"]:
            case "missing":
                said[name] = f"`{name}` is missing."
            case "extra_forbidden":
                said[name] = f"There is no argument `{name}`: there are {', '.join(known)}."
            case _:
                wanted = it["msg"].removeprefix("Input should be ")
                said.setdefault(name, f"`{name}` is {it['input']!r:.60} and should be {wanted}.")
    return "\n".join(said.values())


def _as_tool(work: Work, location: str) -> Callable[..., CallToolResult]:
    """Return replies as text for models and as objects for programs, and our errors as text.

    Unexpected errors go only to the log.
    """

    @functools.wraps(work)
    def told(**given: Any) -> CallToolResult:
        try:
            found = work(**given)
            return CallToolResult(content=[TextContent(text=compact(found))], structured_content=found)
        except RulesgraphError as error:
            said = str(error)
            if isinstance(error, StoreError) or error.where == location:  # clients need not know where it is
                said = f"the store: {error.what}\n  {error.way_out}"
            raise ToolError(in_tool_words(said)) from error

    return told


def _add_resources(built: MCPServer[Any], offered: Mapping[str, Work], base: str) -> None:
    """Add rules, entries and terms under their own IRIs, as JSON."""

    def read(tool: str, **given: str) -> str:
        try:
            return compact(offered[tool](**given, **_WHOLE))
        except UsageError as error:
            raise ResourceNotFoundError(in_tool_words(str(error))) from error

    @built.resource(f"{base}edition/{{edition}}/rule/{{number}}", name="rule", mime_type="application/json")
    def rule(edition: str, number: str) -> str:
        """Return a rule of an edition: its text, parts, examples, what it cites and what cites it."""
        return read("rule", number=number, edition=edition)

    @built.resource(f"{base}edition/{{edition}}/entry/{{key}}", name="entry", mime_type="application/json")
    def entry(edition: str, key: str) -> str:
        """Return a glossary entry by the slug of its heading, or an entry of a rulings page by its number."""
        if "." in key:
            return read("rule", number=key, edition=edition)
        return read("term", name=key, edition=edition)

    @built.resource(f"{base}term/{{slug}}", name="term", mime_type="application/json")
    def term(slug: str) -> str:
        """Return a term: its names, its definition with lines, and the rules that define it."""
        return read("term", name=slug)


def _add_prompts(built: MCPServer[Any]) -> None:
    @built.prompt(name="answer_with_citations", title="Answer with verified citations")
    def answer(question: str) -> str:
        """Answer a question about the rules, with citations that are verified first."""
        return _ANSWER.format(question=question)

    @built.prompt(name="check_citations", title="Check the citations in a text")
    def check(text: str) -> str:
        """Check every citation of a rule in a text."""
        return _CHECK.format(text=text)
