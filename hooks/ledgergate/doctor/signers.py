"""How many keys of the signers file count."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from ledgergate.errors import LedgergateError

NAMESPACE = "ledgergate-ack"
_OPTION = re.compile(r'(namespaces|valid-after|valid-before)="([^"]*)"')


def signer_keys(path: str, data: bytes, now: datetime) -> tuple[int, int]:
    """How many keys count now, and how many at some other time only; `LedgergateError` for a line that is no signer."""
    valid = past = 0
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        options = dict(_OPTION.findall(line))
        if NAMESPACE not in options.get("namespaces", "").split(","):
            raise LedgergateError(
                "policy-unreadable",
                f"line {number} does not name the namespace of approvals",
                remedy=f'A line is: kim@example.org namespaces="{NAMESPACE}" ssh-ed25519 AAAA...',
                path=path,
            )
        if _is_valid(options, now):
            valid += 1
        else:
            past += 1
    return valid, past


def _is_valid(options: dict[str, str], now: datetime) -> bool:
    after, before = (options.get(name) for name in ("valid-after", "valid-before"))
    return (after is None or _time(after) <= now) and (before is None or now < _time(before))


def _time(text: str) -> datetime:
    digits = text.removesuffix("Z")
    try:
        return datetime.strptime(f"{digits:0<14}", "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError as error:
        raise LedgergateError("policy-unreadable", f"{text} is no time of a signer's key") from error
