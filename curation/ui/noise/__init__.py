"""The Noise page."""
