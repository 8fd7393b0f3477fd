"""Planted bugs: their tables, the copies of sources that hold them, and which tests notice them."""
