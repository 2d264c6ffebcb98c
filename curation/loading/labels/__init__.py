"""Labels: which column holds them, what each cell means, which classes there are."""
