"""The charts of the article: what is drawn, how it looks, and the files that show it."""
