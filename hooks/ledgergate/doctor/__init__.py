"""What is installed, enforced, stale or missing, as far as a clone can tell. Nothing of the repository is run."""

from ledgergate.doctor.diagnosis import Diagnosis, diagnose
from ledgergate.doctor.model import Health, Line
from ledgergate.doctor.seen import Seen, look

__all__ = ["Diagnosis", "Health", "Line", "Seen", "diagnose", "look"]
