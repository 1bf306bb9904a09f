"""What a CI job judges: found from what GitHub or GitLab says, or from what was typed."""
