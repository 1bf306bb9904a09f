"""The commands: options, one call, render, exit code."""
