"""What has been published: the versions, and since which of them each id is there."""

from __future__ import annotations

import tomllib
from datetime import date
from functools import cache

import msgspec

from derivations.catalogue import DataError
from derivations.catalogue.vocabulary import DATA

PLACE = DATA / "published.toml"


class Published(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The title of the whole, who has made it, and what was published when."""

    title: str
    authors: tuple[str, ...]
    versions: dict[str, date]
    """The day on which each version came out."""
    since: dict[str, tuple[str, ...]]
    """The ids that are new in each version."""

    def version_of(self, identity: str) -> str | None:
        """Give the version in which an id was published first; None where it is not yet."""
        found = (version for version, ids in self.since.items() if identity in ids)
        return next(found, None)


@cache
def published() -> Published:
    """Read what has been published. Raises `DataError`."""
    try:
        text = PLACE.read_text(encoding="utf-8")
        return msgspec.convert(tomllib.loads(text), Published)
    except (OSError, tomllib.TOMLDecodeError, msgspec.ValidationError) as problem:
        raise DataError(f"{PLACE.name}: {problem}") from None
