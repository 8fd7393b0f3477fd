"""What tools/dev/test-gpu and tools/dev/bench-gpu are made of."""
