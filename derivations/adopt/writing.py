"""A network as a model's data file: every value with its unit, where it comes from, and why."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

from derivations.adopt.understanding import Network
from derivations.catalogue import Reference, told
from derivations.catalogue.facts import ID, Amount
from derivations.catalogue.vocabulary import vocabulary
from derivations.catalogue.writing import fact_file
from derivations.landing import NewFile, Refused, new_file


def new_model(
    path: Path,
    network: Network,
    *,
    identity: str | None = None,
    name: str | None = None,
    source: Reference | str | None = None,
    over: bool = False,
) -> NewFile:
    """
    Give the data file of a network that a configuration at *path* describes, checked.

    Where nothing else is wished for, the id and the name are those of the model that the
    configuration names, else of its file, and the source is that model's page. *over* allows
    the id of a file that is there. Raises `Refused`, and `DataError` where another file is bad.
    """
    title = network.named.rpartition("/")[2] or ("" if path.stem == "config" else path.stem)
    identity = _slug(path, title) if identity is None else identity
    name = (title or identity) if name is None else name
    if not isinstance(source, Reference):
        source = _file_of(network, name, source)
    text = fact_file("model", _texts(name, network), _amounts(network), _sources(network, source))
    return new_file("model", identity, text, over=over)


def _slug(path: Path, title: str) -> str:
    found = re.sub(r"[^a-z0-9.]+", "-", title.lower())[:64].strip("-.")
    if not ID.fullmatch(found):
        raise Refused(f"{told(path.name)} suggests no id; give one (--id)")
    return found


def _file_of(network: Network, name: str, url: str | None) -> Reference:
    if url is None and not network.named:
        raise Refused("the file does not name its model; say where it is from (--source URL)")
    return Reference(
        title=f"{name}, config.json",
        url=f"https://huggingface.co/{network.named}" if url is None else url,
        read=date.today(),
        seen="The file config.json.",
    )


def _texts(name: str, network: Network) -> dict[str, str]:
    packed = {"packed": network.packed} if network.packed else {}
    return {"name": name, "family": network.family.name, **packed}


def _amounts(network: Network) -> dict[str, Amount]:
    fields = vocabulary()["model"]
    return {
        field: Amount(
            says=f"{part.value} {fields[field].unit.removeprefix('1').strip()}".strip(),
            source="config" if part.stated else "code",
            trust="high",
            note=part.because,
        )
        for field, part in network.parts.items()
    }


def _sources(network: Network, source: Reference) -> dict[str, Reference]:
    code = Reference(
        title=f"Model code of the family {network.family.name}",
        url=network.family.code,
        read=source.read,
        seen="By the rules of derivations/adopt/families.py, which are tested against published "
        "totals.",
    )
    return {"config": source, "code": code}
