"""An open auction with no game behind it: lots, an ascending track, the house's rules. See docs/rules."""

from assistant.games.auction.title import TITLE

__all__ = ["TITLE"]
