"""How an entry of the book is cited: in BibTeX, CSL-JSON, plain text and Markdown."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode

from derivations import __version__
from derivations.book import BOOK
from derivations.catalogue import defaults
from derivations.evaluate import NoValue, Worksheet
from derivations.language.declare import Constant, Formula, Given
from derivations.reference.inputs import data_below
from derivations.reference.meaning import Fingerprints
from derivations.reference.published import published
from derivations.render.escape import for_markdown, for_plain
from derivations.render.workings import Workings

SHORT = 8
"""Digits of a fingerprint that a citation carries."""


@dataclass(frozen=True)
class Citation:
    """What a citation says: what it is, of which version, with which data, and where it stands."""

    id: str
    title: str
    whole: str
    authors: tuple[str, ...]
    version: str
    released: date
    data_of: date | None
    """The day on which the latest of the sources behind its value was read."""
    meaning: str
    """The first digits of the fingerprint: another one, where the value has changed since."""
    value: str
    """The value in the configuration, in words. Empty where there is none."""
    configuration: str
    """The choices that differ from the default, as a query."""
    address: str
    """Where it stands. Empty where nobody knows where the site is published."""

    @property
    def note(self) -> str:
        """What tells a reader whether it is still the same."""
        told = [f"id {self.id}", f"meaning {self.meaning}"]
        if self.data_of is not None:
            told.append(f"data of {self.data_of}")
        if self.configuration:
            told.append(f"configuration {self.configuration}")
        if self.value:
            told.append(f"value {self.value}")
        return ", ".join(told)


def citation(
    sheet: Worksheet, identity: str, site: str = "", marks: Fingerprints | None = None
) -> Citation:
    """
    Give the citation of an entry in a configuration. Raises `UnknownName`.

    *site* is the address at which the site is published.
    """
    entry = BOOK[identity]
    name = BOOK.id_of(entry)
    record = published()
    version = __version__ if __version__ in record.versions else list(record.versions)[-1]
    query = query_of(sheet)
    read = [each.source.read for each in data_below(sheet, entry)]
    return Citation(
        id=name,
        title=getattr(entry, "title", name),
        whole=record.title,
        authors=record.authors,
        version=__version__,
        released=record.versions[version],
        data_of=max(read, default=None),
        meaning=(marks or Fingerprints(BOOK)).of(name)[:SHORT],
        value=_value(sheet, entry),
        configuration=query,
        address=permalink(site, name, query) if site else "",
    )


def query_of(sheet: Worksheet) -> str:
    """Give the choices that differ from the default as a query, in the order of the options."""
    chosen = sheet.chosen.resolved()
    start = {**defaults()}
    follows = {"kv_precision": chosen["precision"], "arithmetic": chosen["precision"]}
    different = {
        name: value for name, value in chosen.items() if value != start.get(name, follows.get(name))
    }
    return urlencode(different)


def permalink(site: str, identity: str, query: str = "") -> str:
    """Give the address of an entry: of its page, or of its place in the article worked anew."""
    root = site.rstrip("/")
    return f"{root}/?{query}#{identity}" if query else f"{root}/derivations/{identity}/"


def _value(sheet: Worksheet, entry: object) -> str:
    if not isinstance(entry, Formula | Given | Constant):
        return ""
    try:
        return for_plain(Workings(sheet).figure(entry).text)
    except NoValue:
        return ""


def bibtex(cited: Citation) -> str:
    """Give a citation as an entry for BibTeX and biblatex."""
    fields = {
        "title": f"{{{_tex(f'{cited.title} ({cited.id})')}}}",
        "author": " and ".join(f"{{{_tex(each)}}}" for each in cited.authors),
        "year": str(cited.released.year),
        "month": str(cited.released.month),
        "howpublished": _tex(cited.whole),
        "version": _tex(cited.version),
        "url": _verbatim(cited.address),
        "note": _tex(cited.note),
    }
    lines = [f"  {name} = {{{text}}}," for name, text in fields.items() if text]
    return "\n".join([f"@misc{{derivations:{cited.id},", *lines, "}"])


_TEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": r"\ensuremath{-}",
    "×": r"\ensuremath{\times}",
}


def _tex(text: str) -> str:
    return "".join(_TEX.get(sign, sign) for sign in for_plain(text))


def _verbatim(address: str) -> str:
    """Write an address, which BibTeX takes as it is: what would end the field is written in hex."""
    return re.sub(r"[{}\\%\s]", lambda match: f"%{ord(match[0]):02X}", address)


def csl_json(cited: Citation) -> str:
    """Give a citation as CSL-JSON, a list of one item."""
    released = [cited.released.year, cited.released.month, cited.released.day]
    item: dict[str, Any] = {
        "id": f"derivations:{cited.id}",
        "type": "webpage",
        "title": for_plain(f"{cited.title} ({cited.id})"),
        "container-title": for_plain(cited.whole),
        "author": [{"literal": for_plain(each)} for each in cited.authors],
        "issued": {"date-parts": [released]},
        "version": cited.version,
        "note": for_plain(cited.note),
    }
    if cited.address:
        item["URL"] = cited.address
    return json.dumps([item], indent=2, ensure_ascii=False)


def plain(cited: Citation) -> str:
    """Give a citation as a line of text."""
    who = " and ".join(cited.authors)
    where = f" {cited.address}" if cited.address else ""
    return for_plain(
        f"{who}: {cited.title}. In: {cited.whole}, version {cited.version}, "
        f"{cited.released}.{where} ({cited.note})"
    )


def markdown(cited: Citation) -> str:
    """Give a citation as Markdown, with a link."""
    title = for_markdown(cited.title)
    name = f"[{title}](<{cited.address}>)" if cited.address else title
    rest = f"{cited.whole}, version {cited.version}, {cited.released} ({cited.note})"
    who = " and ".join(cited.authors)
    return f"{for_markdown(who)}, {name}. {for_markdown(rest)}"


FORMATS: dict[str, Callable[[Citation], str]] = {
    "bibtex": bibtex,
    "csl-json": csl_json,
    "text": plain,
    "markdown": markdown,
}
