"""Probabilities: which columns or arrays hold them, and how they are read."""
