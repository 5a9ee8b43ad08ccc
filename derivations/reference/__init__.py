"""What there is to know of each id of the book."""
