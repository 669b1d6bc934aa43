"""How signs, shapes and words are drawn: path data, and a pen that turns them into canvas instructions."""
