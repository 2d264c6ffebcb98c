"""How good the labels are, measured: an audit drawn at random, and intervals that hold.

audit_plan     which rows are judged, and in which order, by a seed
error_model    how likely a label is wrong, learned from the verdicts so far
betting        bets on each draw, whose wealth refutes false claims
claims         the claims that are not refuted: an interval
audit_reading  verdicts to figures, each label read as right or wrong
label_quality  the figures and their intervals
estimates      verdicts of any kind to figures
"""

from curation.quality.audit_plan import AuditPlan, plan_audit
from curation.quality.estimates import estimate_quality
from curation.quality.label_quality import Interval, Quality

__all__ = ["AuditPlan", "Interval", "Quality", "estimate_quality", "plan_audit"]
