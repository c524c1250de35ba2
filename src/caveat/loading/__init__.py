"""Reading the registry and the rules from YAML: strict, with every problem named, and only when nothing is cached."""
