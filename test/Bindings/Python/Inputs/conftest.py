"""Asks for the GPU's properties, as conftests of tests for a GPU do, before modules of tests are read."""

import torch

assert torch.cuda.is_available() and torch.cuda.get_device_capability() == (9, 0)
