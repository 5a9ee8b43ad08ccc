"""A model's published `config.json`, read with care and understood, or refused by the key."""

from derivations.adopt.reading import ConfigError
from derivations.adopt.understanding import Network, summary, understood
from derivations.adopt.writing import new_model

__all__ = ["ConfigError", "Network", "new_model", "summary", "understood"]
