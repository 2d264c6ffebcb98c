"""What the tests, the benchmarks and the docs share; not part of the package."""
