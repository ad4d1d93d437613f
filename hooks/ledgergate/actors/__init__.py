"""Who made a change, as far as signals tell: coding agents say so in the environment, in names and in messages."""

from ledgergate.actors.recognise import Identity, recognise_client, recognise_commit

__all__ = ["Identity", "recognise_client", "recognise_commit"]
