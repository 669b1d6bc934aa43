"""Touching: buttons, lamps and buzzer as one panel."""
