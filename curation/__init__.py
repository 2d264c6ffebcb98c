"""Which of my labels are wrong? Confident learning, with a person in the loop."""

from curation.analysis import Findings, analyze, estimate_joint
from curation.errors import CurationError

__all__ = ["CurationError", "Findings", "analyze", "estimate_joint"]
