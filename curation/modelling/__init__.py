"""Out-of-sample probabilities for labelled examples, by models that are trained here."""

from curation.modelling.file_average import average_probs
from curation.modelling.probability_maker import MadeProbs, ModelScore, make_probs
from curation.modelling.probs_writing import save_probs

__all__ = ["MadeProbs", "ModelScore", "average_probs", "make_probs", "save_probs"]
