"""The page that works itself out anew: what it needs of the book, the facts and the article."""
