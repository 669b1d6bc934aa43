"""The steps of the game, one module per phase of the rulebook, in its order and words."""
