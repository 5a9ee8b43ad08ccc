"""The promises of the project, as sentences."""
