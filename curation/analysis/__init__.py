"""Dataset to findings, and all that is worked out from them."""
