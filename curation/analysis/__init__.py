"""From a dataset to its findings, and everything computed from them."""
