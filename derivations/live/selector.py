"""The selector beside the live article: a form with everything that can be chosen."""

from __future__ import annotations

from typing import Any

from jinja2 import Environment

from derivations.catalogue import defaults, facts
from derivations.configure import COUNTS
from derivations.render.page import compiled, manners
from derivations.render.places import templates

OFTEN: dict[str, Any] = {
    "tensor_parallelism": (1, 2, 4, 8),
    "concurrency": (1, 4, 8, 16, 32, 64, 128, 256, 512),
    "lengths": ((1024, 1024), (1024, 8192), (8192, 1024)),
}
"""The choices that the selector offers at once: those of the benchmark, and a few beyond."""


def selector_html() -> str:
    """Give the form as HTML, with the default configuration chosen."""
    manner = manners(templates())
    del manner["finalize"]  # which escapes for Markdown
    own = Environment(bytecode_cache=compiled("html"), **manner)
    vendors: dict[str, list[Any]] = {}
    for chip in sorted(facts("accelerator").values(), key=lambda each: each.name):
        vendors.setdefault(str(chip.texts["vendor"]), []).append(chip)
    formats = sorted(facts("precision").values(), key=lambda each: -each.amounts["size"].value)
    types = {kind for chip in facts("accelerator").values() for kind in chip.each("compute")}
    return own.get_template("selector.html.jinja").render(
        vendors=dict(sorted(vendors.items(), key=lambda pair: -len(pair[1]))),
        formats=formats,
        models=sorted(facts("model").values(), key=lambda each: each.name.lower()),
        types=sorted(types),
        counts=COUNTS,
        defaults=defaults(),
        often=OFTEN,
    )
