"""Seeing: from a picture of the table to what lies on it."""
