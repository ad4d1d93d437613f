"""Who made a change, as far as signals tell: coding agents say so in the environment, in names and in messages."""

from ledgergate.actors.recognise import co_authors, is_agent_account, recognise_client, recognise_commit

__all__ = ["co_authors", "is_agent_account", "recognise_client", "recognise_commit"]
