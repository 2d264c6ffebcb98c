"""Which file of a folder is which part of a dataset."""
