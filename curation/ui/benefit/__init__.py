"""The Benefit page: what cleaning the labels is worth to a model."""
