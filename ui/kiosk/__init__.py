"""The touchscreen: the only package that knows Kivy. Its `environment` comes before everything else of it."""
