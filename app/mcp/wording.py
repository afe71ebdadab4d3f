"""Descriptions, notes and errors in the words of tools, where ours name commands, options and classes."""

from __future__ import annotations

import re

from ..operations import TOOLS, plain_text

_NAMES = {"ask --list": "question", "editions": "editions"}
"""Tools with another name than the command that does the same."""

_ARGUMENTS = {"from": "start", "to": "end"}
"""Arguments with another name than the option."""

_EDITIONS = ": its id, several (A,B) or all (default: the newest that fits)"

_COMMAND = re.compile(r"`rulesgraph ([^`]*)`")
_OPTION = re.compile(r"--([a-z]+)")
_ATTRIBUTE = re.compile(r"`[A-Z]\w+\.(\w+)`")


def in_tool_words(text: str) -> str:
    """Return a note or an error with tools and their arguments instead of commands and options.

    >>> in_tool_words("`rulesgraph trace 301.2 --from cr-2031-02-01` follows it; --edition asks another.")
    '`trace` (301.2 `start` cr-2031-02-01) follows it; `edition` asks another.'
    >>> in_tool_words("Load some with `rulesgraph build`.")
    'Load some with `rulesgraph build` on the server.'
    """
    return _OPTION.sub(lambda it: f"`{_ARGUMENTS.get(it[1], it[1])}`", _COMMAND.sub(_tool, text))


def _tool(command: re.Match[str]) -> str:
    name, _, rest = command[1].partition(" ")
    name = _NAMES.get(command[1], name)
    if name == "ask" and rest in TOOLS:
        name, rest = rest, ""
    if name not in TOOLS and name not in _NAMES.values():
        return f"{command[0]} on the server"
    return f"`{name}` ({rest})" if rest and command[1] not in _NAMES else f"`{name}`"


def described(text: str) -> str:
    """Return a docstring, or its text on a parameter, in words that make sense in JSON."""
    text = text.replace(", see `Rules`", _EDITIONS).replace("None", "null")
    return plain_text(_ATTRIBUTE.sub(r"\1", text))
