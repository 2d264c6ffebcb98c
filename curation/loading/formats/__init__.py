"""File formats: one module for each, and one registry for all."""
