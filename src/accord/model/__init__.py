"""Frozen records, one noun a file. No clock, git, crypto or YAML in here."""
