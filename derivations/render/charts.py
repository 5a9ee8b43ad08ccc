"""The charts in a page: pictures that any host shows, and the same as tables."""

from __future__ import annotations

from derivations.catalogue import fact
from derivations.charts import measured
from derivations.charts.lines import drawing, roofline
from derivations.charts.look import AXES, HEIGHT, LINES, ROOFLINE, SCHEMES, WIDTH
from derivations.charts.painting import table, written
from derivations.charts.pictures import AXIS, FOLDER
from derivations.configure import Configuration
from derivations.evaluate import Worksheet
from derivations.render.escape import for_markdown


def figure(name: str, sheet: Worksheet) -> str:
    """Give the Markdown of a chart: a picture for each scheme, and the table behind both."""
    said = f"{_title(name)}, for {_chosen(sheet.chosen)}"
    pictures = "\n".join(
        f"![{for_markdown(said)}]({FOLDER}/{name}-{scheme}.svg#only-{scheme})"
        f'{{ loading=lazy width="{WIDTH}" height="{HEIGHT}" }}'
        for scheme in SCHEMES
    )
    header, rows = _cells(name, sheet)
    lines = [header, ["---"] * len(header), *rows]
    cells = "\n".join(f"| {' | '.join(each)} |" for each in lines)
    return (
        f'<div class="d-chart" data-chart="{name}" markdown="1">\n\n'
        '<div class="d-chart__controls"></div>\n\n'
        f"{pictures}\n{{: .d-chart__box }}\n\n"
        '<details markdown="1">\n<summary>The same as a table</summary>\n\n'
        f"{cells}\n\n</details>\n\n</div>\n"
    )


def _title(name: str) -> str:
    if name == "roofline":
        return "Roofline"
    return f"{LINES[name]['title']}, against {AXES[AXIS]['says']}"


def _chosen(chosen: Configuration) -> str:
    chip = fact("accelerator", chosen.accelerator).name
    network = fact("model", chosen.model).name
    return (
        f"{chosen.tensor_parallelism} × {chip}, {network} in {chosen.precision.upper()}, "
        f"{chosen.input_length} input and {chosen.output_length} output tokens, "
        f"{chosen.concurrency} concurrent users"
    )


def _cells(name: str, sheet: Worksheet) -> tuple[list[str], list[list[str]]]:
    if name == "roofline":
        marks = roofline(sheet)["marks"]
        return ROOFLINE["table"], [
            [each["name"], written(each["x"], 1), written(each["y"] / 1e12, 1)] for each in marks
        ]
    drawn = drawing(name, sheet.chosen, measured.rows(), axis=AXIS)
    header, rows = table(name, drawn, AXES[AXIS]["title"], relative=False)
    return [for_markdown(each) for each in header], rows
