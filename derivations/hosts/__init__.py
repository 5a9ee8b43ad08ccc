"""The hosts that show the pages: Python-Markdown and MkDocs. Thin adapters, and nothing else."""
