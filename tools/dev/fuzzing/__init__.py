"""Random kernels and what is done with them: the parts of tools/dev/fuzz."""
