"""Whatever formula is written, each notation prints that formula and each reading means it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar
from xml.etree import ElementTree

import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st

from derivations.book import BOOK, decode
from derivations.check.units import Misfit, unit_of
from derivations.language.algebra import (
    Call,
    Choice,
    Exact,
    Negation,
    NotATerm,
    Number,
    Operation,
    Quantity,
    Relation,
    Term,
    as_term,
    leaves,
    nodes,
    read,
    when,
)
from derivations.language.declare import Bridge, Constant
from derivations.language.functions import FUNCTIONS, Function, exponential, maximum, minimum
from derivations.language.meaning import meaning, symbol_of
from derivations.language.notation.javascript import JavaScript
from derivations.language.notation.latex import Latex, latex
from derivations.language.notation.mathml import mathml
from derivations.language.notation.plain import Plain, symbols
from derivations.language.notation.python import ExactPython, Python
from derivations.language.notation.writing import ATOM, LOOSE, Written
from tests.plain_reader import RELATIONS, Reader, Tree, Unreadable, tree_of, value_of
from tests.terms import (
    FEW,
    LETTERS,
    QUICK,
    constant,
    pairs,
    rational_terms,
    terms,
    unknown,
    values,
)

a, b, C, W, n, *_ = LETTERS
SIGNS = {"+": "+", "-": "−", "*": "×", "/": "÷", "^": "^"}
COMPARISONS = {"<": "<", "<=": "≤", ">": ">", ">=": "≥", "==": "="}


def name_of(function: Function) -> str:
    return function.plain.partition("(")[0]


def bare(node: Term | Relation) -> Tree:
    """Give a formula as the tree that its readers see: bridges are silent."""
    match node:
        case Number(value) | Constant(value):
            return Fraction(value)
        case Quantity():
            return node.symbol
        case Operation(_, left, Bridge()):
            return bare(left)
        case Operation(sign, left, right):
            return SIGNS[sign], bare(left), bare(right)
        case Relation(comparison, left, right):
            return COMPARISONS[comparison], bare(left), bare(right)
        case Negation(inner):
            return "negated", bare(inner)
        case Call(function, arguments):
            return name_of(function), *map(bare, arguments)
        case Choice(condition, then, otherwise):
            return "if", bare(condition), bare(then), bare(otherwise)
    raise AssertionError(node)


def printed_leaves(node: Term | Relation) -> Iterator[Quantity]:
    """Walk the quantities as a reader meets them: a choice shows its first branch first."""
    match node:
        case Bridge():
            return
        case Quantity():
            yield node
        case Choice(condition, then, otherwise):
            for part in (then, condition, otherwise):
                yield from printed_leaves(part)
        case Operation(_, left, right) | Relation(_, left, right):
            yield from printed_leaves(left)
            yield from printed_leaves(right)
        case Negation(inner):
            yield from printed_leaves(inner)
        case Call(_, arguments):
            for argument in arguments:
                yield from printed_leaves(argument)


def by_symbol(quantity: Quantity) -> Written:
    return Written(quantity.symbol)


def python_tree(text: str) -> Tree:
    """Read Python with Python's own parser."""
    signs = {ast.Add: "+", ast.Sub: "−", ast.Mult: "×", ast.Div: "÷", ast.Pow: "^"}
    compare = {ast.Lt: "<", ast.LtE: "≤", ast.Gt: ">", ast.GtE: "≥", ast.Eq: "="}
    names = {each.python.partition("(")[0]: name_of(each) for each in FUNCTIONS}

    def of(node: ast.AST) -> Tree:
        match node:
            case ast.Constant(int(value)):
                return Fraction(value)
            case ast.Name(name):
                return name
            case ast.UnaryOp(ast.USub(), inner):
                return "negated", of(inner)
            case ast.BinOp(left, sign, right):
                return signs[type(sign)], of(left), of(right)
            case ast.Compare(left, [sign], [right]):
                return compare[type(sign)], of(left), of(right)
            case ast.IfExp(test, then, otherwise):
                return "if", of(test), of(then), of(otherwise)
            case ast.Call(ast.Name("Fraction"), [inner]):
                return of(inner)
            case ast.Call(ast.Name(name), arguments):
                return names[name], *map(of, arguments)
        raise AssertionError(ast.dump(node))

    return of(ast.parse(text, mode="eval").body)


class _JavaScriptReader(Reader):
    """JavaScript in the signs of the plain notation, and with its own way to choose."""

    spelled: ClassVar[dict[str, str]] = {
        "Math.": "", "===": "=", "<=": "≤", ">=": "≥", "**": "^", "*": "×", "/": "÷", "-": "−",
    }  # fmt: skip

    def __init__(self, text: str) -> None:
        for theirs, ours in self.spelled.items():
            text = text.replace(theirs, ours)
        super().__init__(text)

    def relation_or_choice(self) -> Tree:
        first = self.sum()
        if self.next not in RELATIONS:
            return first
        condition = self.take(), first, self.sum()
        if self.next != "?":
            return condition
        self.take("?")
        then = self.sum()
        self.take(":")
        return "if", condition, then, self.sum()


def javascript_tree(text: str) -> Tree:
    return _JavaScriptReader(text).whole()


def flat_mathml(element: ElementTree.Element) -> str:
    """Give what a reader sees in MathML on one line. An `mrow` cannot be seen."""
    inner = [flat_mathml(each) for each in element]
    match element.tag:
        case "mfrac":
            return f"(({inner[0]}) ÷ ({inner[1]}))"
        case "msup":
            return f"{inner[0]}^({inner[1]})"
        case "msub":
            return {"log_2": "log2"}.get(f"{inner[0]}_{inner[1]}", f"{inner[0]}_{inner[1]}")
        case "msqrt":
            return f"sqrt({''.join(inner)})"
        case "mtable":
            (then, condition), (otherwise, _) = (map(flat_mathml, row) for row in element)
            return f"{then} {condition}, otherwise {otherwise}"
    text = (element.text or "").replace("\u2061", "").replace("\xa0", " ")
    signs = {"·": "×", "/": "÷", "⌈": "ceil(", "⌊": "floor(", "⌉": ")", "⌋": ")", "{": ""}
    return f" {signs.get(text, text)} " if element.tag == "mo" else text + "".join(inner)


_LATEX = {
    r"\left": "", r"\right": "", r"\lceil": "ceil(", r"\rceil": ")", r"\lfloor": "floor(",
    r"\rfloor": ")", r"\log_2": "log2", r"\max": "max", r"\min": "min", r"\exp": "exp",
    r"\mathrm": "", r"\cdot": "×", r"\le": "≤", r"\ge": "≥", "/": "÷", "-": "−", r",\ ": ", ",
    r"\begin{cases}": "", r"& \text{if }": " if ", r"\\": ", otherwise ",
    r"& \text{otherwise}\end{cases}": "", r"\text": "",
}  # fmt: skip


def flat_latex(text: str) -> str:
    """Give what a reader sees in LaTeX on one line. Braces cannot be seen."""
    seen = ""
    while text:
        if text.startswith(r"\frac"):
            above, text = _braced(text.removeprefix(r"\frac"))
            below, text = _braced(text)
            seen += f"(({above}) ÷ ({below}))"
        elif text.startswith((r"\sqrt", "^")):
            sign = "^" if text[0] == "^" else "sqrt"
            inner, text = _braced(text[1:] if sign == "^" else text.removeprefix(r"\sqrt"))
            seen += f"{sign}({inner})"
        elif text[0] == "{":
            inner, text = _braced(text)
            seen += inner
        else:
            spelled = next((each for each in _LATEX if text.startswith(each)), text[0])
            seen += _LATEX.get(spelled, spelled)
            text = text[len(spelled) :]
    return seen


def _braced(text: str) -> tuple[str, str]:
    """Give what stands in the braces at the start of a text, made flat, and the rest."""
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "{") - (sign == "}")
        if depth == 0:
            return flat_latex(text[1:place]), text[place + 1 :]
    raise AssertionError(f"a brace is not closed in {text!r}")


def assert_every_notation_reads_back(term: Term | Relation) -> None:
    expected = bare(term)
    drawn = ElementTree.fromstring(f"<math>{mathml(term, lambda quantity: quantity.symbol)}</math>")

    assert tree_of(symbols(term)) == expected
    assert python_tree(Python(by_symbol).write(term)) == expected
    assert python_tree(ExactPython(by_symbol).write(term)) == expected
    assert javascript_tree(JavaScript(by_symbol).write(term)) == expected
    assert tree_of(flat_latex(latex(term))) == expected
    assert tree_of(flat_mathml(drawn)) == expected


@QUICK
@given(terms())
def test_what_is_printed_reads_back_as_the_same_tree(term: Term) -> None:
    assert_every_notation_reads_back(term)


@pytest.mark.parametrize("term", pairs(), ids=symbols)
def test_every_sign_keeps_its_brackets_inside_of_every_other(term: Term) -> None:
    assert_every_notation_reads_back(term)


@QUICK
@given(terms(max_leaves=8), terms(max_leaves=8))
def test_a_relation_reads_back_with_both_its_sides(left: Term, right: Term) -> None:
    assert_every_notation_reads_back(left <= right)


@QUICK
@given(terms())
def test_leaves_stand_in_the_order_of_their_author(term: Term) -> None:
    expected = [leaf.symbol for leaf in printed_leaves(term)]
    marked = Latex(lambda quantity: Written(f"«{quantity.symbol}»")).write(term)
    drawn = ElementTree.fromstring(f"<math>{mathml(term, lambda quantity: quantity.symbol)}</math>")

    assert re.findall("«(.*?)»", marked) == expected
    assert [each.attrib["data-q"] for each in drawn.iter() if "data-q" in each.attrib] == expected


@QUICK
@given(terms())
def test_no_fraction_stands_inside_of_another(term: Term) -> None:
    drawn = ElementTree.fromstring(f"<math>{mathml(term, lambda quantity: quantity.symbol)}</math>")
    for table in list(drawn.iter("mtable")):  # the branches of a choice have room of their own
        table.clear()

    assert not drawn.findall(".//mfrac//mfrac")


@QUICK
@given(terms())
def test_latex_stays_within_what_hosts_accept(term: Term) -> None:
    text = latex(term)

    assert not re.search(r"\\(operatorname|mbox|htmlData|href|class|def|newcommand)", text)
    assert text.count("{") == text.count("}")
    assert text.count(r"\left") == text.count(r"\right")


@QUICK
@given(st.from_regex(r"[<>&\"'a-z]{1,9}", fullmatch=True))
def test_the_mark_of_a_symbol_is_escaped(name: str) -> None:
    drawn = ElementTree.fromstring(mathml(a, lambda _: name))

    assert drawn.get("data-q") == name


def test_a_symbol_without_a_name_has_no_mark() -> None:
    assert mathml(a / b, lambda _: "") == (
        "<mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac>"
    )


def decimal(value: Fraction) -> str:
    return f"{Decimal(value.numerator) / value.denominator:f}"


@QUICK
@given(rational_terms(), values(), st.booleans())
def test_the_printed_numbers_work_out_to_the_exact_value(
    term: Term, known: dict[Quantity, Fraction], negative: bool
) -> None:
    sign = -1 if negative else 1

    def value(quantity: Quantity) -> Fraction:
        return _value(quantity, known) * sign

    def numbers(quantity: Quantity) -> Written:
        digits = decimal(abs(value(quantity)))
        return Written(f"−{digits}", LOOSE) if value(quantity) < 0 else Written(digits, ATOM)

    exact = exactly(term, value)

    assert value_of(Plain(numbers).write(term)) == exact


def _value(quantity: Quantity, known: dict[Quantity, Fraction]) -> Fraction:
    return Fraction(quantity.value) if isinstance(quantity, Constant) else known[quantity]


def exactly(term: Term, value: Callable[[Quantity], Fraction]) -> Fraction:
    try:
        return Fraction(read(term, Exact(value)))
    except ZeroDivisionError:
        assume(False)
        raise


@FEW
@given(rational_terms(max_leaves=6), values(most=5))
def test_sympy_means_the_exact_value(term: Term, known: dict[Quantity, Fraction]) -> None:
    exact = exactly(term, lambda quantity: _value(quantity, known))
    numbers = {
        symbol_of(quantity): sympy.Rational(value.numerator, value.denominator)
        for quantity, value in known.items()
    }

    assert meaning(term).subs(numbers) == sympy.Rational(exact.numerator, exact.denominator)


L, H = unknown("L"), unknown("H")
_one, _two = constant(1), constant(2)

AUTHORED = [
    (a * (b + C), "a × (b + C)", r"a \cdot \left(b + C\right)"),
    (a - (b - C), "a − (b − C)", r"a - \left(b - C\right)"),
    (a - b - C, "a − b − C", "a - b - C"),
    (a - (-b), "a − (−b)", r"a - \left(-b\right)"),
    ((a + b) ** 2, "(a + b)^2", r"{\left(a + b\right)}^{2}"),
    ((-a) ** 2, "(−a)^2", r"{\left(-a\right)}^{2}"),
    (-(a**2), "−(a^2)", r"-\left({a}^{2}\right)"),
    (a ** (b / C), "a^(b ÷ C)", r"{a}^{\left(\frac{b}{C}\right)}"),
    (C / (W / n) / 2, "C ÷ (W ÷ n) ÷ 2", r"\frac{C / \left(W / n\right)}{2}"),
    (_two * L * _one * n, "2 × L × 1 × n", r"2 \cdot L \cdot 1 \cdot n"),
    (_two * L * H * n, "2 × L × H × n", r"2 \cdot L \cdot H \cdot n"),
    (a / b * C, "a ÷ b × C", r"\frac{a}{b} \cdot C"),
    (a / (b * C), "a ÷ (b × C)", r"\frac{a}{b \cdot C}"),
    (a * (b * C), "a × (b × C)", r"a \cdot \left(b \cdot C\right)"),
    (a + -3, "a + (−3)", r"a + \left(-3\right)"),
    (a**-2, "a^(−2)", r"{a}^{\left(-2\right)}"),
    (maximum(0, a - b), "max(0, a − b)", r"\max\left(0,\ a - b\right)"),
    (
        maximum(a, b, when(a <= b, a, b)),
        "max(a, b, (a if a ≤ b, otherwise b))",
        r"\max\left(a,\ b,\ \left(\begin{cases}a & \text{if } a \le b \\ "
        r"b & \text{otherwise}\end{cases}\right)\right)",
    ),
    (
        when(a > b, when(b > 0, a, b), -a),
        "(a if b > 0, otherwise b) if a > b, otherwise −a",
        r"\begin{cases}\left(\begin{cases}a & \text{if } b > 0 \\ b & \text{otherwise}"
        r"\end{cases}\right) & \text{if } a > b \\ -a & \text{otherwise}\end{cases}",
    ),
]


@pytest.mark.parametrize(("term", "plain", "tex"), AUTHORED, ids=[row[1] for row in AUTHORED])
def test_brackets_and_order_stay_as_authored(term: Term, plain: str, tex: str) -> None:
    assert symbols(term) == plain
    assert latex(term) == tex
    assert tree_of(plain) == bare(term)


def test_a_bridge_is_silent_and_still_in_the_tree() -> None:
    bridge = Bridge("token / sequence", "One token each", says="A step holds one of each.")
    term = a * bridge + b / bridge

    assert symbols(term) == "a + b"
    assert bridge in set(leaves(term))


def test_javascript_takes_a_negated_power_in_brackets_only() -> None:
    assert JavaScript(by_symbol).write(-(a**2)) == "-(a ** 2)"
    assert JavaScript(by_symbol).write((-a) ** 2) == "(-a) ** 2"
    assert JavaScript(by_symbol).write((a**b) ** 2) == "(a ** b) ** 2"
    assert JavaScript(by_symbol).write(a ** (b**2)) == "a ** (b ** 2)"


@pytest.mark.parametrize(
    "text", ["−x^2", "a^b^C", "a ++ b", "(a", "a b", "a <", "max()", "(a < b)"]
)
def test_the_reader_refuses_what_can_be_read_in_two_ways_or_in_none(text: str) -> None:
    with pytest.raises(Unreadable):
        tree_of(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("64 × 2.52E8", Fraction(64 * 252 * 10**6)),
        ("1.4336E14 ÷ 3.958E15", Fraction(14336, 395800)),
        ("5E−3", Fraction(5, 1000)),
        ("max(0, 295.4 − 300)", Fraction(0)),
        ("2 if 1 ≤ 0, otherwise 1 ÷ 3", Fraction(1, 3)),
        ("10 − 4 − 3", Fraction(3)),
        ("(−2)^3 × ceil(1.5)", Fraction(-16)),
    ],
)
def test_the_reader_works_numbers_out_exactly(text: str, value: Fraction) -> None:
    assert value_of(text) == value


midpoint = Function(
    name="midpoint",
    arity=(2, 2),
    unit="same",
    meaning=lambda sympy, first, second: (first + second) / 2,
    exact=lambda first, second: (first + second) / 2,
    plain="mid({})",
    latex=r"\mathrm{mid}\left({}\right)",
    mathml="<mrow><mi>mid</mi><mo>(</mo>{}<mo>)</mo></mrow>",
    python="midpoint({})",
    javascript="midpoint({})",
)


def test_a_new_row_of_the_table_is_all_that_a_function_takes() -> None:
    length, width = unknown("l", "token"), unknown("w", "token")
    term = a * midpoint(length, width + length)
    known: dict[Quantity, Fraction] = {a: Fraction(3), length: Fraction(2), width: Fraction(5)}
    numbers = {symbol_of(quantity): int(value) for quantity, value in known.items()}
    drawn = ElementTree.fromstring(f"<math>{mathml(term, lambda quantity: quantity.symbol)}</math>")

    assert symbols(term) == "a × mid(l, w + l)"
    assert tree_of(symbols(term), frozenset({"mid"})) == bare(term)
    assert latex(term) == r"a \cdot \mathrm{mid}\left(l,\ w + l\right)"
    assert "".join(drawn.itertext()) == "a·mid(l,w+l)"
    assert Python(by_symbol).write(term) == "a * midpoint(l, w + l)"
    assert JavaScript(by_symbol).write(term) == "a * midpoint(l, w + l)"
    assert read(term, Exact(known.__getitem__)) == Fraction(27, 2)
    assert meaning(term).subs(numbers) == sympy.Rational(27, 2)
    assert unit_of(term, symbols).dimensionality == {"[token]": 1}
    with pytest.raises(Misfit, match="l is in token, but a is a pure number"):
        unit_of(midpoint(length, a), symbols)


def test_only_terms_and_whole_numbers_stand_in_a_formula() -> None:
    refused: list[Any] = [0.5, "2", None, True, 2j, a < b, Decimal(2), Fraction(1, 2)]
    for other in refused:
        with pytest.raises(NotATerm):
            a * other
        with pytest.raises(NotATerm):
            other * a

    assert bare(as_term(-3)) == ("negated", Fraction(3))


def test_a_function_that_is_not_exact_says_so() -> None:
    exact = {each.name for each in FUNCTIONS if each.same_everywhere}

    assert exact == {"maximum", "minimum", "ceiling", "floor", "square_root"}
    assert not exponential.same_everywhere


def test_the_binary_logarithm_is_whole_at_powers_of_two() -> None:
    logarithm = next(each for each in FUNCTIONS if each.name == "binary_logarithm")
    powers = range(1, 1000)

    assert [logarithm.exact(Fraction(2) ** power) for power in powers] == list(powers)


def test_a_walk_meets_every_node_once() -> None:
    term = minimum(a + b, a) - C

    assert [type(node).__name__ for node in nodes(term)] == (
        ["Operation", "Call", "Operation", "Unknown", "Unknown", "Unknown", "Unknown"]
    )


def test_nothing_is_assumed_of_the_sign_of_a_formula_and_givens_are_positive() -> None:
    for formula in BOOK.formulas.values():
        assert symbol_of(formula).is_positive is None, formula.title
        assert symbol_of(formula).is_real
    for given_ in BOOK.givens.values():
        assert symbol_of(given_).is_nonnegative, given_.title


def test_the_longer_of_two_times_is_taken_where_numbers_are_put_in() -> None:
    read, multiplied = symbol_of(decode.memory_time), symbol_of(decode.compute_time)

    assert decode.step_time.expr.subs({read: 3, multiplied: 2}) == 3
    slope = sympy.diff(decode.step_time.expr, read)
    assert slope.subs({read: 3, multiplied: 2}) == 1
