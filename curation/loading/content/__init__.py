"""What the examples look like: pictures, texts, or nothing."""
