"""The writing side, one verb a file: read, ask the same rules, write, sign."""
