"""What every page shares: setup, frame, state, links, jobs."""
