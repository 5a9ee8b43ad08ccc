"""A JSON file from anywhere, read with care: its size, its keys, its numbers, its types."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import msgspec

from derivations.catalogue import told

MOST_BYTES = 10**6
"""No configuration is longer. Tokenizers and indexes of weights are."""
MOST_DEEP = 20
LARGEST = 10**12
_COUNT = f"a whole number from 1 to {LARGEST}"
T = TypeVar("T")


class ConfigError(ValueError):
    """A configuration cannot be used. The message names the file, the key and its value."""


class Config(Mapping[str, Any]):
    """The keys and values of a configuration, with the name of its file for messages."""

    def __init__(self, place: str, values: dict[str, Any]) -> None:
        self.place = place
        self._values = values

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __iter__(self) -> Any:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def count(self, key: str) -> int | None:
        """Give a whole number, or None where the key is missing or null. Raises `ConfigError`."""
        found = self._typed(key, int, _COUNT)
        if found is not None and not 1 <= found <= LARGEST:
            self.refuse(key, f"it should be {_COUNT}")
        return found

    def switch(self, key: str) -> bool | None:
        """Give a truth, or None where the key is missing or null. Raises `ConfigError`."""
        return self._typed(key, bool, "true or false")

    def text(self, key: str) -> str | None:
        """Give a text, or None where the key is missing or null. Raises `ConfigError`."""
        return self._typed(key, str, "a text")

    def _typed(self, key: str, kind: type[T], should: str) -> T | None:
        value = self._values.get(key)
        if value is None:
            return None
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError:
            self.refuse(key, f"it should be {should}")

    def refuse(self, key: str, why: str) -> NoReturn:
        """Raise `ConfigError` with a key, its value and what is wrong with it."""
        raise ConfigError(f"{self.place}: {shown(key, self._values.get(key))}: {why}")

    def refuse_missing(self, *keys: str) -> NoReturn:
        """Raise `ConfigError` for a key that is needed."""
        lacks = "null" if any(key in self._values for key in keys) else "missing"
        raise ConfigError(f"{self.place}: {' or '.join(keys)} is {lacks}")


def shown(key: str, value: Any) -> str:
    """Give a key and its value as the file has them: ``sliding_window = 4096``."""
    name = key if re.fullmatch(r"[\w.-]{1,80}", key, re.ASCII) else told(key)
    if isinstance(value, dict):
        return f"{name} = {{…}}" if value else f"{name} = {{}}"
    if isinstance(value, list) and len(value) > 4:  # layer by layer: each kind once
        value = list({_plain(each): each for each in value}.values())
    return f"{name} = {_plain(value)}"


def _plain(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, list):
        return f"[{', '.join(map(_plain, value[:4]))}{', …' if len(value) > 4 else ''}]"
    return told(value)


def config(path: Path) -> Config:
    """Read a configuration. Raises `ConfigError`."""
    place = path.name if path.name.isprintable() else told(path.name)
    try:
        if not path.is_file():
            raise ConfigError(f"{place}: there is no such file")
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise ConfigError(f"{place}: it is longer than {MOST_BYTES} bytes; no configuration is")
        text = content.decode("utf-8-sig")
    except OSError as problem:
        raise ConfigError(f"{place}: it cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{place}: it is not written in UTF-8") from None
    values = _parsed(place, text)
    if not isinstance(values, dict):
        kind = "a list" if isinstance(values, list) else _plain(values)
        raise ConfigError(f"{place}: it is {kind}; a configuration is an object of keys and values")
    _refuse_deep(place, values)
    return Config(place, values)


def _parsed(place: str, text: str) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise ConfigError(f"{place}: the key {told(twice)} stands there twice")
        return found

    def no_number(name: str) -> NoReturn:
        raise ConfigError(f"{place}: {name} stands there, which is no number of JSON")

    def finite(digits: str) -> float:
        number = float(digits)
        if math.isinf(number):
            raise ConfigError(f"{place}: {digits[:20]} is beyond all numbers to compute with")
        return number

    def whole(digits: str) -> int:
        if len(digits) > 40:
            raise ConfigError(f"{place}: a number has {len(digits)} digits")
        return int(digits)

    try:
        return json.loads(
            text,
            object_pairs_hook=once,
            parse_constant=no_number,
            parse_float=finite,
            parse_int=whole,
        )
    except json.JSONDecodeError as problem:
        where = f"line {problem.lineno}, column {problem.colno}"
        raise ConfigError(f"{place}: it is not JSON: {problem.msg}, in {where}") from None
    except RecursionError:
        raise ConfigError(f"{place}: it is nested too deeply") from None


def _refuse_deep(place: str, values: Any) -> None:
    level = [values]
    for _ in range(MOST_DEEP):
        level = [
            inner
            for each in level
            for inner in (each.values() if isinstance(each, dict) else each)
            if isinstance(inner, dict | list)
        ]
    if level:
        raise ConfigError(f"{place}: it is nested more than {MOST_DEEP} deep")
