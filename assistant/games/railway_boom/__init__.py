"""Railway Boom by Hisashi Hayashi: auctions, a hex map, trains of tiles. See docs/rules."""

from assistant.games.railway_boom.title import TITLE

__all__ = ["TITLE"]
