"""Showing: everything a person looks at, and the command `stationmaster`."""
