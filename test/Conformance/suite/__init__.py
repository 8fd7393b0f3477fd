"""The conformance suite: what every op of the language gives, on every type and device."""
