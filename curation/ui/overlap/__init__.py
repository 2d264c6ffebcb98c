"""The Overlap page."""
