"""The name of a shell into the script by which it completes what is typed."""

from __future__ import annotations

import argparse
import os
import re

TAKES = ()
EXAMPLES = """\
  eval "$(rulesgraph completion bash)"            in ~/.bashrc
  eval "$(rulesgraph completion zsh)"             in ~/.zshrc
  rulesgraph completion fish | source            in ~/.config/fish/config.fish"""

_TYPED = "RULESGRAPH_TYPED"
"""Where a shell says what was typed: a word a line, the last one begun. No parser reads it as options."""

_LISTS = ("words", "quoted")
"""What the scripts themselves ask for: the words that may come next, as they are or as bash quotes them."""

_SCRIPTS = {
    "bash": """\
_rulesgraph() {
  local IFS=$'\\n'
  COMPREPLY=($(RULESGRAPH_TYPED="${COMP_WORDS[*]:1:COMP_CWORD}" rulesgraph completion quoted 2>/dev/null))
}
complete -o default -F _rulesgraph rulesgraph
""",
    "zsh": """\
_rulesgraph() {
  local -a found
  found=("${(@f)$(RULESGRAPH_TYPED="${(F)words[2,CURRENT]}" rulesgraph completion words 2>/dev/null)}")
  compadd -a found
}
compdef _rulesgraph rulesgraph
""",
    "fish": """\
function __rulesgraph
  set -lx RULESGRAPH_TYPED (string join \\n -- (commandline -opc)[2..] (commandline -ct) | string collect)
  rulesgraph completion words 2>/dev/null
end
complete -c rulesgraph -f -a '(__rulesgraph)'
""",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `completion`."""
    parser.add_argument(
        "shell",
        metavar="bash|zsh|fish",
        type=_shell,
        help="the shell to write for",
    )


def _shell(text: str) -> str:
    """Refuse what is no shell that there is a script for."""
    if text not in (*_SCRIPTS, *_LISTS):
        raise argparse.ArgumentTypeError(f"no script for {text!r}; there are {', '.join(_SCRIPTS)}")
    return text


def _unquoted(word: str) -> str:
    """Return a word as a command would get it: shells tell what was typed with its quotes and backslashes.

    >>> _unquoted("Moth\\\\ Wi"), _unquoted('"Moth Wi')
    ('Moth Wi', 'Moth Wi')
    """
    return re.sub(r"\\(.)", r"\1", word.removeprefix('"').removeprefix("'"))


def run(options: argparse.Namespace) -> int:
    """Print the script of a shell, or, asked by one, what may come next."""
    if options.shell in _SCRIPTS:
        print(_SCRIPTS[options.shell], end="")
        return 0
    from ..completing import candidates

    typed = [_unquoted(word) for word in os.environ.get(_TYPED, "").split("\n")]
    for it in candidates(typed):
        print(re.sub(r"([^\w.,:/@%+=-])", r"\\\1", it) if options.shell == "quoted" else it)
    return 0
