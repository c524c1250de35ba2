"""Files, the cache and processes: everything between the command line and the engine."""
