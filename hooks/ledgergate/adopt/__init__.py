"""Adopting ledgergate: what a repository holds already, and the files that its first commit under guard needs."""
