"""The pictures of what needs what: edges are those of the formulas, and nothing overlaps."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derivations.book import BOOK, decode
from derivations.language.algebra import Relation, Term, leaves
from derivations.language.contents import Book
from derivations.language.declare import Condition, Constant, Formula, Given, relation_of
from derivations.reference.graph import DEPTH, Graph, around, drawn, layers, whole

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SVG = "{http://www.w3.org/2000/svg}"


def named(identity: str) -> set[str]:
    """Give what a formula or a condition names, read anew from its trees."""
    entry = BOOK.entries[identity]
    trees: list[Term | Relation] = []
    if isinstance(entry, Formula):
        trees = [entry.body, *map(relation_of, entry.assuming)]
    elif isinstance(entry, Condition):
        trees = [entry.relation]
    found = {each for tree in trees for each in leaves(tree)}
    return {BOOK.id_of(each) for each in found if isinstance(each, Formula | Given)}


def test_the_edges_are_those_that_the_formulas_name() -> None:
    graph = whole(BOOK)
    expected = {
        (needed, name) for name in (*BOOK.formulas, *BOOK.conditions) for needed in named(name)
    }

    assert set(graph.edges) == expected
    assert {*BOOK.formulas, *BOOK.conditions} <= set(graph.nodes)
    assert not [each for each in graph.nodes if isinstance(BOOK[each], Constant)]


@pytest.mark.parametrize("name", BOOK.formulas)
def test_the_picture_of_a_formula_has_its_inputs_and_its_users(name: str) -> None:
    graph = around(BOOK, name)
    users = {other for other in (*BOOK.formulas, *BOOK.conditions) if name in named(other)}

    assert {name, *named(name), *users} <= set(graph.nodes)
    assert set(graph.edges) <= set(whole(BOOK).edges)
    assert DEPTH == 2


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    size = draw(st.integers(1, 30))
    nodes = tuple(f"n{each}" for each in range(size))
    pairs = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1))
    edges = {(min(a, b), max(a, b)) for a, b in draw(st.lists(pairs, max_size=60)) if a != b}
    return Graph(nodes, tuple((nodes[a], nodes[b]) for a, b in sorted(edges)))


@given(graphs())
def test_what_needs_others_stands_right_of_them(graph: Graph) -> None:
    columns = layers(graph)
    column = {name: number for number, names in enumerate(columns) for name in names}

    assert sorted(column) == sorted(graph.nodes)
    for needed, by in graph.edges:
        assert column[needed] < column[by]


def test_the_picture_is_text_that_can_be_read_and_links_that_lead_somewhere() -> None:
    for name in ("", *BOOK.formulas):
        graph = around(BOOK, name) if name else whole(BOOK)
        svg = drawn(graph, BOOK, here=name, link=lambda each: f"../{each}/")
        root = ElementTree.fromstring(svg)
        links = [each.get("href") for each in root.iter(f"{SVG}a")]
        assert sorted(map(str, links)) == sorted(f"../{each}/" for each in graph.nodes)
        assert drawn(graph, BOOK, here=name, link=lambda each: f"../{each}/") == svg


def test_a_hostile_title_is_text() -> None:
    section = ModuleType("derivations.book.hostile")
    hostile = replace(decode.weights, title='</title><script>x</script>"', symbol="<b>_<i>")
    vars(section)["one"] = hostile
    book = Book([*BOOK.sections, section])
    root = ElementTree.fromstring(drawn(around(book, "hostile.one"), book, link=str))

    assert not list(root.iter(f"{SVG}script"))
    assert "</title><script>" in "".join(root.itertext())


def large(size: int) -> Book:
    """Give a book with as many formulas more, each made of two before it."""
    section = ModuleType("derivations.book.large")
    last = [decode.weights, decode.kv_total]
    for number in range(size):
        formula = replace(decode.bytes, body=last[-1] + last[number // 2], symbol=f"x_{number}")
        vars(section)[f"x{number}"] = formula
        last.append(formula)
    return Book([*BOOK.sections, section])


def test_no_box_covers_another_and_every_text_fits(browser: Browser) -> None:
    page = browser.new_page()
    for size in (0, 150):
        book = large(size) if size else BOOK
        page.set_content(f"<body>{drawn(whole(book), book, link=str)}</body>")
        assert page.evaluate(OVERLAPS) == []
        assert page.evaluate(TOO_LONG) == []
    page.close()


OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll("rect")].map((each) => each.getBBox());
  return boxes.filter((a, n) => boxes.slice(n + 1).some((b) =>
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height));
}"""
TOO_LONG = """() => [...document.querySelectorAll("a")].filter((each) => {
  const box = each.querySelector("rect").getBBox(), text = each.querySelector("text").getBBox();
  return text.x + text.width > box.x + box.width || text.y + text.height > box.y + box.height;
}).map((each) => each.textContent)"""
