"""``python -m derivations`` is the same as ``derivations``."""

from derivations.cli import main

main(prog_name="derivations")
