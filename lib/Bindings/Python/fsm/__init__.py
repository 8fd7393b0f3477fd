"""FSM for Python. `fsm.triton` compiles and runs kernels of Triton's."""
