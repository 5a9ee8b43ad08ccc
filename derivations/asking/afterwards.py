"""What to do once an accelerator has its file."""

from __future__ import annotations

from derivations.catalogue import Fact, defaults, facts


def next_steps(chip: Fact) -> list[str]:
    """Say which commands come next, in a type that the accelerator has, and what gets no page."""
    rates = chip.each("compute")
    formats = facts("precision")
    stored = [key for key in rates if key in formats]
    usual = str(defaults()["precision"])
    choice = f" --arithmetic {next(iter(rates))}"
    if usual in stored:
        choice = ""
    elif stored:
        choice = f" --precision {stored[0]}"
    found = [f"Next: derivations evaluate --accelerator {chip.id}{choice}", "Next: mkdocs serve"]
    if others := [key for key in rates if key not in formats]:
        known = ", ".join(formats)
        found.append(f"No page for {', '.join(others)}: weights are stored in {known}")
    return found
