"""The notations that a formula can be written in: one file each, all readings of the same tree."""
