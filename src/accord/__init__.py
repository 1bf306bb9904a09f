"""accord: git-native decision records for people and agents."""

__version__ = "0.1.0"
