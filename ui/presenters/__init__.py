"""Presenters: what the kiosk shows, as plain data made from the table's view. No window is needed here."""
