"""Who made a change, as far as signals tell: coding agents say so in the environment, in names and in messages."""

from ledgergate.actors.recognise import recognise_client, recognise_commit

__all__ = ["recognise_client", "recognise_commit"]
