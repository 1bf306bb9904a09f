"""What is claimed about speed, runnable: docs/benchmarks.md."""
