"""Make small changes of the code, one at a time, for `mutate.py` to see whether tests notice."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("ontology", "loaders", "queries", "viz", "app")

COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="), ast.GtE: (">=", ">"), ast.In: (" in ", " not in "), ast.NotIn: ("not in", "in"),
    ast.Is: (" is ", " is not "), ast.IsNot: ("is not", "is"),
}  # fmt: skip
SUMS: dict[type[ast.operator], tuple[str, str]] = {ast.Add: ("+", "-"), ast.Sub: ("-", "+")}


@dataclass(frozen=True)
class Mutant:
    """One change: other bytes from `start` to `end` of a file."""

    path: Path
    line: int
    start: int
    end: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.before.strip()!r} -> {self.after.strip()!r}"

    def apply(self, data: bytes) -> bytes:
        """Return a file's bytes with the change."""
        return data[: self.start] + self.after.encode() + data[self.end :]


class MutantFinder(ast.NodeVisitor):
    """Collects the mutants of a module, except of types and documentation."""

    def __init__(self, path: Path, data: bytes) -> None:
        self.path, self.data = path, data
        lines = data.splitlines(keepends=True)
        self._starts = [0]
        for line in lines:
            self._starts.append(self._starts[-1] + len(line))
        self.found: list[Mutant] = []
        self.visit(ast.parse(data))

    def _at(self, line: int, column: int) -> int:
        return self._starts[line - 1] + column

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._at(node.lineno, node.col_offset), self._at(node.end_lineno, node.end_col_offset)

    def _add(self, node: ast.expr | ast.stmt, start: int, end: int, after: str) -> None:
        before = self.data[start:end].decode()
        self.found.append(Mutant(self.path, node.lineno, start, end, before, after))

    def _replace(self, node: ast.expr | ast.stmt, after: str) -> None:
        self._add(node, *self._span(node), after)

    def _between(self, left: ast.expr, right: ast.expr, change: tuple[str, str]) -> None:
        """Change what is between two expressions."""
        start, end = self._span(left)[1], self._span(right)[0]
        between = self.data[start:end].decode()
        if change[0].strip() in between and "#" not in between:
            self._add(right, start, end, between.replace(change[0].strip(), change[1].strip(), 1))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for statement in node.body:
            self.visit(statement)
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default:
                self.visit(default)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for statement in node.body:
            self.visit(statement)

    def visit_Assign(self, node: ast.Assign) -> None:
        """Leave type aliases alone, which are called like classes."""
        if not re.match("_?[A-Z]+[a-z]", ast.unparse(node.targets[0])):
            self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.visit(node.value)

    def visit_If(self, node: ast.If) -> None:
        if "TYPE_CHECKING" in ast.unparse(node.test):
            return
        if not isinstance(node.test, ast.Compare | ast.BoolOp | ast.UnaryOp):
            self._replace(node.test, f"not ({ast.unparse(node.test)})")
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Leave the wording of errors alone."""

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, operator, right in zip(
            (node.left, *node.comparators), node.ops, node.comparators, strict=False
        ):
            self._between(left, right, COMPARISONS[type(operator)])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        change = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._between(left, right, change)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._replace(node, f"({ast.unparse(node.operand)})")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in SUMS and not any(isinstance(it, ast.JoinedStr) for it in (node.left, node.right)):
            self._between(node.left, node.right, SUMS[type(node.op)])
        self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        """Leave the `strict` of `zip` alone, which guards against our own mistakes."""
        if node.arg != "strict":
            self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._replace(node, str(not node.value))
        elif isinstance(node.value, int):
            self._replace(node, str(node.value + 1))

    def visit_Return(self, node: ast.Return) -> None:
        if node.value and not isinstance(node.value, ast.Constant | ast.Name):
            self._replace(node.value, "None")
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self._replace(node, "pass")
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Leave the inside of f-strings alone, whose place in the file is unknown."""

    def _elements(self, node: ast.Tuple | ast.List | ast.Set) -> None:
        if len(node.elts) > 1 and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            kept = [ast.unparse(it) for it in node.elts[:-1]]
            opening, closing = {ast.Tuple: ("(", ")"), ast.List: ("[", "]"), ast.Set: ("{", "}")}[type(node)]
            self._replace(node, f"{opening}{', '.join(kept)},{closing}")
        self.generic_visit(node)

    visit_Tuple = visit_List = visit_Set = _elements


def mutants() -> list[Mutant]:
    """Return every mutant of the rooms, in the order of files and lines."""
    found: list[Mutant] = []
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            data = path.read_bytes()
            for mutant in MutantFinder(path.relative_to(ROOT), data).found:
                try:
                    compile(mutant.apply(data), str(path), "exec")
                except SyntaxError:
                    continue
                found.append(mutant)
    return found
