"""From files to a `Dataset`: one module for each family of formats, and the input doctor."""
