"""A whole game played by virtual players on a simulated table, refereed from camera pictures."""
