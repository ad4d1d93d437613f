"""The policy (`ledgergate.toml`): its model, its reader, what it says about a path, and what it protects."""
