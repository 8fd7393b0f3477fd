"""Which lines of FSM's own libraries ran, for tools/dev/fuzz-coverage and tools/dev/message-coverage."""
