"""
Templates that render all branches of a question to the configuration.

In a page that works itself out anew, what one configuration leaves out another one shows. So each
``{% if decode.compute_bound is holding %}`` becomes a call of `branch` for each of its branches.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from jinja2 import Environment, nodes
from jinja2.visitor import NodeTransformer

from derivations.render.page import compiled

BRANCH, BOTH, EITHER, NEGATED = "branch_of", "both_of", "either_of", "negation_of"
"""The names under which a template finds what its branches are made with."""


@dataclass(frozen=True)
class Asked:
    """A question to the configuration, made of phrases, and its answer for the present one."""

    words: tuple[Any, ...]
    """``("holds", id)``, ``("not", words)``, ``("and", words, words)``."""
    answer: bool

    def __bool__(self) -> bool:
        raise TypeError("a question to the configuration can only be asked in an {% if %}")


Answer = Asked | bool


def negated(term: Answer) -> Answer:
    """Give the question whether it is not so."""
    if not isinstance(term, Asked):
        return not term
    words = term.words[1] if term.words[0] == "not" else ("not", term.words)
    return Asked(words, not term.answer)


def both(left: Answer, right: Answer) -> Answer:
    """Give the question whether both are so."""
    if not (isinstance(left, Asked) and isinstance(right, Asked)):
        known, open_ = (right, left) if isinstance(left, Asked) else (left, right)
        return open_ if known else False
    return Asked(("and", left.words, right.words), left.answer and right.answer)


def either(left: Answer, right: Answer) -> Answer:
    """Give the question whether one of them is so."""
    return negated(both(negated(left), negated(right)))


class _AllBranches(NodeTransformer):
    def visit_If(self, node: nodes.If) -> list[nodes.Node]:
        made: list[nodes.Node] = []
        before: nodes.Expr | None = None
        for each in (node, *node.elif_):
            test = _question(cast("nodes.Expr", each.test))
            made.append(self._branch(test if before is None else _call(BOTH, before, test), each))
            not_this = _call(NEGATED, test)
            before = not_this if before is None else _call(BOTH, before, not_this)
        if node.else_:
            assert before is not None
            made.append(self._branch(before, node, other=True))
        return made

    def _branch(self, test: nodes.Expr, node: nodes.If, *, other: bool = False) -> nodes.Node:
        body = [
            found
            for each in (node.else_ if other else node.body)
            for found in _several(self.visit(each))
        ]
        return nodes.CallBlock(_call(BRANCH, test), [], [], body).set_lineno(node.lineno)


def _several(found: Any) -> list[nodes.Node]:
    return found if isinstance(found, list) else [found]


def _question(test: nodes.Expr) -> nodes.Expr:
    match test:
        case nodes.And():
            return _call(BOTH, _question(test.left), _question(test.right))
        case nodes.Or():
            return _call(EITHER, _question(test.left), _question(test.right))
        case nodes.Not():
            return _call(NEGATED, _question(test.node))
    return test


def _call(name: str, *terms: nodes.Expr) -> nodes.Call:
    return nodes.Call(nodes.Name(name, "load"), list(terms), [], None, None)


class LiveEnvironment(Environment):
    """An environment in which all branches are rendered, each through *branch*."""

    def __init__(self, **manners: Any) -> None:
        """Keep what is compiled apart from what other ways of rendering, or of this, have made."""
        way = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:16]
        super().__init__(bytecode_cache=compiled(f"live-{way}"), **manners)

    def use(self, branch: Callable[..., Any]) -> None:
        """Set what renders a branch: called with the question, and with what renders its body."""
        self.globals.update(
            {BRANCH: branch, BOTH: both, EITHER: either, NEGATED: negated},
        )

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        template = super()._parse(source, name, filename)
        changed = cast("nodes.Template", _AllBranches().visit(template))
        changed.set_environment(self)
        return changed
