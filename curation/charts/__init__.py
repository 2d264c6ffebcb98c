"""Finished arrays in, plotly figures out."""
