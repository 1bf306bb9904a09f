"""The crypto edge: making and checking signatures."""
