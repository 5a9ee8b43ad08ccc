"""The words in which the book is written: terms, quantities, units and notations."""
