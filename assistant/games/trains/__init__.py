"""Trains by Hisashi Hayashi: a deck-builder that lays rails on a hex map. See docs/rules."""

from assistant.games.trains.title import TITLE

__all__ = ["TITLE"]
