"""Reports and records to text."""
