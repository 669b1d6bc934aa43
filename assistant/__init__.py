"""The referee: rules, records and rulings. Pure Python, no screen, no camera, no pins."""
