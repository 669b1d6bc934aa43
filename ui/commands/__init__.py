"""The commands, one module each; see `ui.cli`."""
