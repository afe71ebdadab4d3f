"""Write the reference pages `docs/python.md` and `docs/commands.md` from the code and its docstrings."""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from types import FunctionType

import rulesgraph
from rulesgraph.app.cli import command_parser, parser
from rulesgraph.app.commands import GROUPS
from rulesgraph.loaders.building.report import DocumentSummary, ProblemSummary, Refused
from rulesgraph.ontology import errors
from rulesgraph.queries.history.diff import Difference
from rulesgraph.queries.searching.scores import Passages
from rulesgraph.queries.session import Edition, LoadedDocument
from rulesgraph.queries.session.answer import Sheet, SimilarCase, Understood

FUNCTIONS = (rulesgraph.open, rulesgraph.build, rulesgraph.get, rulesgraph.serve, rulesgraph.publish)
CLASSES: tuple[type, ...] = (
    rulesgraph.Rules,
    rulesgraph.Answer,
    rulesgraph.RuleNode,
    rulesgraph.TermNode,
    rulesgraph.Report,
    rulesgraph.Picture,
)
VALUES: tuple[type, ...] = (
    Edition,
    LoadedDocument,
    Difference,
    Sheet,
    Passages,
    Understood,
    SimilarCase,
    DocumentSummary,
    ProblemSummary,
    Refused,
)
"""What comes back beside those: nothing that anybody makes."""

HEAD = """\
# rulesgraph from Python

<!-- Generated from the code (`pytest tests/test_face.py --update-golden`): change the docstrings there. -->

All of this is one import away, the errors too (`rulesgraph.UnknownNameError`), and is loaded when you use it:

```python
import rulesgraph
```

`rulesgraph.__version__` is the version. In the examples, `rules` is an in-memory store of the starter rules,
`rulesgraph.build(store=":memory:").rules`, and `lanterns` has two editions of an invented game
(`tests/mini`).

"""

_SECTION = re.compile(r"^(Args|Attributes|Raises):\n((?:(?: {4}.*)?\n)+)", re.MULTILINE)
_ITEM = re.compile(r"^ {4}(\w+): ", re.MULTILINE)
_EXAMPLE = re.compile(r"((?:^>>> .*\n(?:(?!\n).+\n)*)+)", re.MULTILINE)
_HEADS = {"Args": "Takes", "Attributes": "Has", "Raises": "Raises"}


def page() -> str:
    """Return the page as Markdown."""
    parts = [HEAD + "## Functions\n"]
    parts += [_function(f"rulesgraph.{it.__name__}", it) for it in FUNCTIONS]
    for cls in CLASSES:
        parts.append(f"## {cls.__name__}\n\n{_fields(cls)}{_text(inspect.getdoc(cls) or '')}")
        parts += [_member(cls.__name__, name, it) for name, it in _members(cls)]
    parts.append("## Values that come back\n")
    for cls in VALUES:
        parts.append(f"### {cls.__name__}\n\n{_fields(cls)}{_text(inspect.getdoc(cls) or '')}")
    parts.append(
        f"## Errors\n\nAll in `rulesgraph.ontology.errors`.\n\n{_text(inspect.getdoc(errors) or '')}"
    )
    return "\n".join(parts)


def _members(cls: type) -> Iterator[tuple[str, object]]:
    """Yield the public methods and properties of a class in the order of the source, inherited ones first."""
    for owner in reversed(cls.__mro__[:-1]):
        for name, it in vars(owner).items():
            if not name.startswith("_") and isinstance(
                it, FunctionType | property | cached_property | staticmethod
            ):
                yield name, it


def _member(cls: str, name: str, it: object) -> str:
    if isinstance(it, property | cached_property):
        work: object = it.fget if isinstance(it, property) else it.func
        assert isinstance(work, FunctionType)
        given = f"{cls}.{name}: {work.__annotations__['return']}"
        return f"### {cls}.{name}\n\n{_code(given)}{_text(inspect.getdoc(work) or '')}"
    return _function(f"{cls}.{name}", it.__func__ if isinstance(it, staticmethod) else it)


def _function(name: str, it: object) -> str:
    assert isinstance(it, FunctionType)
    return f"### {name}\n\n{_code(name + _signature(it))}{_text(inspect.getdoc(it) or '')}"


class _Written(str):
    """Return an annotation as written, without quotes around it."""

    __slots__ = ()
    __repr__ = str.__str__


def _signature(it: FunctionType) -> str:
    """Return the parameters as written, without `self`."""
    known = inspect.signature(it)
    parameters = [
        parameter.replace(annotation=_Written(parameter.annotation))
        for parameter in known.parameters.values()
        if parameter.name != "self"
    ]
    return str(known.replace(parameters=parameters, return_annotation=_Written(known.return_annotation)))


def _fields(cls: type) -> str:
    """Return the attributes that a class declares, one a line; without those that only hold it together."""
    hidden = {"session", "store"}
    declared = {name: it for owner in reversed(cls.__mro__) for name, it in _annotations(owner).items()}
    lines = [
        f"{name}: {it}" for name, it in declared.items() if not name.startswith("_") and name not in hidden
    ]
    return _code("\n".join(lines)) if lines else ""


def _annotations(cls: type) -> dict[str, str]:
    """Return the attributes that a class declares itself, with their types as they are written."""
    # A named tuple wraps what is written.
    return {
        name: str(getattr(it, "__forward_arg__", it)) for name, it in inspect.get_annotations(cls).items()
    }


def _code(text: str) -> str:
    return f"```python\n{text}\n```\n\n"


def _text(doc: str) -> str:
    """Return a docstring as Markdown: sections as lists, examples and drawings as blocks of code."""
    text = re.sub(
        r"::\n\n((?: {4}.*\n)+)", lambda block: f"```text\n{inspect.cleandoc(block[1])}\n```\n", doc + "\n"
    )
    text = _SECTION.sub(lambda part: f"{_HEADS[part[1]]}:\n\n{_items(part[2])}\n", text)
    return _EXAMPLE.sub(lambda example: f"```python\n{example[1]}```\n", text)


def _items(block: str) -> str:
    return inspect.cleandoc(_ITEM.sub(r"    - `\1`: ", block.rstrip() + "\n")) + "\n"


COMMANDS_HEAD = """\
# Commands

<!-- Generated from the code (`pytest tests/test_docs.py --update-golden`): change the docstrings there. -->

Results go to stdout, messages to stderr. Exit codes: 0 success, 1 findings or nothing found, 2 wrong usage
(an unknown name, too), 3 a document was refused, 4 the store, an endpoint or the output cannot be used, 130
stopped by Ctrl-C, 143 by SIGTERM.

Every command takes these options, before or after its name:

"""


def commands_page() -> str:
    """Return the page of commands as Markdown, made from their parsers."""
    shared = {name: it for it in parser()._actions for name in it.option_strings}
    everywhere = [shared["--store"], shared["--no-pager"]]
    parts = [COMMANDS_HEAD + _arguments(everywhere)]
    parts.append(
        "Commands that answer from an edition take `--edition`, and those that print rows `--format`:\n\n"
        + _arguments([shared["--edition"], shared["--format"]])
    )
    for heading, names in GROUPS.items():
        parts.append(f"## {heading[0].upper()}{heading[1:]}\n")
        for name in names:
            built = command_parser(name)
            usual = {name for name, it in shared.items() for own in built._actions if own.help == it.help}
            own = [it for it in built._actions if not {"-h", *usual} & {*it.option_strings}]
            taken = [it for it in ("--edition", "--format") if it in usual]
            also = f"Also takes {' and '.join(f'`{it}`' for it in taken)}.\n\n" if taken else ""
            rest = (built.epilog or "").partition("\n\n")
            examples = inspect.cleandoc(rest[0].removeprefix("examples:\n"))
            remarks = f"\n{rest[2]}\n" if rest[2] else ""
            parts.append(f"### {name}\n\n{built.description}\n\n{_arguments(own)}{also}")
            parts[-1] += f"```bash\n{examples}\n```\n{remarks}"
    return "\n".join(parts)


def _arguments(actions: Iterable[argparse.Action]) -> str:
    """Return arguments as a Markdown table."""
    rows = []
    for it in actions:
        named = " ".join(it.metavar) if isinstance(it.metavar, tuple) else it.metavar
        value = named or ",".join(map(str, it.choices or ()))
        shown = f"[{value}]" if it.nargs == "?" and it.option_strings else value
        typed = [f"{flag} {shown}".strip() if it.nargs != 0 else flag for flag in it.option_strings] or [
            value
        ]
        cells = (", ".join(f"`{one}`" for one in typed), str(it.help).replace("%%", "%"))
        rows.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n")
    return f"| argument | meaning |\n|---|---|\n{''.join(rows)}\n" if rows else ""
