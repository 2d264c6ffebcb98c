"""File formats: one module for each, and one registry of them all."""
