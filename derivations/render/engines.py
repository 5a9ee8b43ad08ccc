"""What templates say of the measured results of a configuration, one engine a row."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from derivations.book import BOOK
from derivations.language.algebra import Quantity
from derivations.language.contents import Entry
from derivations.language.declare import Condition, Formula
from derivations.render.phrases import OfResult, Phrase
from derivations.render.popover import SCHEME, key_of
from derivations.render.shape import Tape

MOST_ENGINES = 2
"""No configuration was measured with more of them, and a test says so."""


class Engine:
    """
    One measured result of a configuration: ``say.results[1]``. The first has the highest rate.

    What a template asks of it is asked of its own workings: the same machine and workload, held
    against another run. Nothing but `there` can be asked where there is no such result.
    """

    def __init__(self, tape: Tape, place: int) -> None:
        self._tape = tape
        self._place = place

    @property
    def there(self) -> Any:
        """Whether there is such a result."""
        return self._tape.decide(Phrase("has_result", place=self._place))

    @property
    def name(self) -> Markup:
        """The engine that served."""
        return self._said("engine")

    @property
    def source(self) -> Markup:
        """What was measured, and when, as a link to where it was read."""
        return self._link("benchmark")

    @property
    def attribution(self) -> Markup:
        """What the licence of the results asks to be said, and the licence, as a link."""
        return self._link("attribution")

    @property
    def statistic(self) -> Markup:
        """Which statistic over its requests the times of a run are."""
        return self._said("statistic")

    def figure(self, quantity: Quantity) -> Markup:
        """Give the number of a quantity with its unit."""
        return self._linked("figure", quantity)

    def also(self, formula: Formula) -> Markup:
        """Give the number of a formula in its second unit."""
        return self._linked("also", formula)

    def holds(self, condition: Condition) -> Any:
        """Tell whether a condition holds for this result."""
        return self._tape.decide(self._own("holds", condition))

    def _own(self, kind: str, *about: Entry) -> OfResult[Any]:
        return OfResult(kind, about, result=self._place)

    def _said(self, kind: str) -> Markup:
        return Markup(self._tape.said(self._own(kind)))

    def _link(self, kind: str) -> Markup:
        return Markup(f'<a href="{self._tape.said(self._own("read"))}">{self._said(kind)}</a>')

    def _linked(self, kind: str, quantity: Quantity) -> Markup:
        text = self._tape.number(self._own(kind, quantity))
        return Markup(f"[{text}]({SCHEME}{key_of(BOOK.id_of(quantity), self._place)})")


class Near:
    """One of the nearest configurations that were measured: ``say.nearest[0]``."""

    def __init__(self, tape: Tape, place: int) -> None:
        self._tape = tape
        self._place = place

    @property
    def there(self) -> Any:
        """Whether there is such a configuration."""
        return self._tape.decide(Phrase("has_near", place=self._place))

    @property
    def changes(self) -> Markup:
        """What to change, as options of the command line."""
        said = self._tape.said(Phrase[str]("near", place=self._place))
        return Markup(f'<span class="d-near">{said}</span>')
