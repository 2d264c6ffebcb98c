"""Which example comes next, what was decided about it, and what stands."""
