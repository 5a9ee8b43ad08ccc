"""The examiner: units fit, steps follow, claims hold, every statement says where it comes from."""

from derivations.check.examine import Report, examine
from derivations.check.fault import Fault
from derivations.check.memory import remembered
from derivations.check.proofs import Verdict

__all__ = ["Fault", "Report", "Verdict", "examine", "remembered"]
