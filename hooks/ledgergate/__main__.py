"""`python -m ledgergate`."""

from __future__ import annotations

from ledgergate.cli.main import main

raise SystemExit(main())
