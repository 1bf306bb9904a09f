"""Pure decisions over the model. No clock, git, crypto, environment or YAML in here."""
