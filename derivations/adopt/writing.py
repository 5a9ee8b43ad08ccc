"""A network as a model's data file: every value with its unit, where it comes from, and why."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from derivations.adopt.understanding import Network
from derivations.catalogue import DataError, Reference, facts, told
from derivations.catalogue.facts import ID, Amount, read_fact
from derivations.catalogue.shelf import folder
from derivations.catalogue.vocabulary import vocabulary
from derivations.catalogue.writing import fact_file
from derivations.files import replace


class WishError(ValueError):
    """An id, a name or a source that a new file cannot have."""


@dataclass(frozen=True)
class NewModel:
    """A data file that the checker has read already, and where it goes."""

    place: Path
    text: str

    def write(self) -> None:
        """Put the file in its place, whole or not at all. Raises `DataError`."""
        try:
            replace(self.place, self.text.encode())
        except OSError as problem:
            raise DataError(f"{self.place} cannot be written: {problem.strerror}") from None


def new_model(
    path: Path,
    network: Network,
    *,
    identity: str | None = None,
    name: str | None = None,
    source: Reference | str | None = None,
    over: bool = False,
) -> NewModel:
    """
    Give the data file of a network that a configuration at *path* describes.

    Where nothing else is wished for, the id and the name are those of the model that the
    configuration names, else of its file, and the source is that model's page. *over* allows
    the id of a file that is there. Raises `WishError`.
    """
    title = network.named.rpartition("/")[2] or ("" if path.stem == "config" else path.stem)
    identity = _free(_slug(path, title) if identity is None else identity, over)
    name = (title or identity) if name is None else name
    if not isinstance(source, Reference):
        source = _file_of(network, name, source)
    text = fact_file("model", _texts(name, network), _amounts(network), _sources(network, source))
    place = folder("model") / f"{identity}.toml"
    _read_first(place.name, text)
    return NewModel(place, text)


def _slug(path: Path, title: str) -> str:
    found = re.sub(r"[^a-z0-9.]+", "-", title.lower())[:64].strip("-.")
    if not ID.fullmatch(found):
        raise WishError(f"{told(path.name)} suggests no id; give one (--id)")
    return found


def _free(identity: str, over: bool) -> str:
    """Give an id that a new file may have."""
    if not ID.fullmatch(identity):
        raise WishError(f"{told(identity)} is no id: small letters, digits, - and .")
    for each in facts("model").values():
        if identity in each.aliases:
            raise WishError(f"{identity!r} is an alias of the model {each.id}; choose another id")
        if identity == each.id and not over:
            raise WishError(
                f"there is a model {identity!r} already; choose another id (--id), or write over "
                "it (--replace)"
            )
    return identity


def _file_of(network: Network, name: str, url: str | None) -> Reference:
    if url is None and not network.named:
        raise WishError("the file does not name its model; say where it is from (--source URL)")
    return Reference(
        title=f"{name}, config.json",
        url=f"https://huggingface.co/{network.named}" if url is None else url,
        read=date.today(),
        seen="The file config.json.",
    )


def _read_first(name: str, text: str) -> None:
    """Read a file before it is there. What is wrong with it now was wished for."""
    with TemporaryDirectory() as beside:
        place = Path(beside) / name
        try:
            place.write_text(text, encoding="utf-8")
            read_fact(place, "model", vocabulary()["model"])
        except UnicodeEncodeError:
            raise WishError(f"{name}: there are signs in it that are no text") from None
        except DataError as problem:
            raise WishError(str(problem)) from None


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
