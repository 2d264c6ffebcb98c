"""What stands before the pages: which requests are answered, and from where."""
