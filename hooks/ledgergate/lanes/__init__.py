"""Lanes: running them, what they tested, and judging their reports against both ledgers."""
