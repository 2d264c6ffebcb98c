"""Which row of one file belongs to which row of another."""
