"""The games that ship with Stationmaster, one folder each. A game never imports another."""
