"""Two products set against each other, metric by metric, and tables of several: what the registry alone can say."""
