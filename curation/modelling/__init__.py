"""Out-of-sample probabilities by models trained here, and what cleaning is worth to a model."""

from curation.modelling.averaged_probs import average_probs
from curation.modelling.benefit_measure import measure_benefit
from curation.modelling.benefit_result import Benefit
from curation.modelling.probability_maker import MadeProbs, ModelScore, make_probs
from curation.modelling.probs_writing import save_probs

__all__ = [
    "Benefit",
    "MadeProbs",
    "ModelScore",
    "average_probs",
    "make_probs",
    "measure_benefit",
    "save_probs",
]
