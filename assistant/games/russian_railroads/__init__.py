"""Russian Railroads by Helmut Ohley and Leonhard Orgler: workers on three railroads. See docs/rules."""

from assistant.games.russian_railroads.title import TITLE

__all__ = ["TITLE"]
