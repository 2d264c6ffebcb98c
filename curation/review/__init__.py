"""Which example comes next, what was said about it, and what stands."""
