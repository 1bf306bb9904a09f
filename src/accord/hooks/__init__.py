"""What the git hooks run."""
