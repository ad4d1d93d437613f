"""Acks: small signed files by which a human vouches for exactly the items that they list."""
