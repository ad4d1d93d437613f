"""Git hooks that decide what counts as test evidence."""

__version__ = "0.1.0"
