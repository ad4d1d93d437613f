"""Real git servers on loopback, which the tests start and end themselves."""

from support.servers.host import Host as Host
from support.servers.programs import program as program
