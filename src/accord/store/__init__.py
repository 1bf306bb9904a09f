"""The git and file edge: trees, YAML in and out, atomic files."""
