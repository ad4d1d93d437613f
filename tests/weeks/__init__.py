"""A week's work on real projects that `ledgergate init` has just set up: who commits what, and what the hooks say."""
