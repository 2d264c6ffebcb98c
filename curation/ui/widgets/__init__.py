"""Pieces that more than one page draws."""
