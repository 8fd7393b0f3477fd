"""A device of FSM's and the kernels on it."""

import contextlib
import ctypes
import threading

from .._library import Failure

# What FSM calls a kernel's text; by the end of the name it knows what it is. Errors name the places that are in the text.
NAME = "kernel.ttir"


class Device:
    """An engine of the library, "cpu" or "sim", and kernels that were loaded into it, by their text.

    An access out of bounds brings a simulated GPU down as it does a real one: no later launch succeeds. A process of a
    user's goes on, so the simulator is opened anew behind a failure. Threads of Python that simulate do so one at a time: `alone`
    is held where what others use may end, or is set for one launch.
    """

    def __init__(self, library, name):
        self.library, self.name = library, name
        self._simulator = None
        self.alone = contextlib.nullcontext()
        if name == "sim":
            self.alone = threading.RLock()
            self._simulator = ctypes.CDLL(str(library.path.parent / "libfsm-simulator.so"))
            self._simulator.fsmSimulatorConfigure.argtypes = [ctypes.c_char_p, ctypes.c_long]
            self._simulator.fsmSimulatorAccesses.restype = ctypes.c_char_p
            self._simulator.fsmSimulatorStop.argtypes, self._simulator.fsmSimulatorStop.restype = [ctypes.c_int], None
        self._open()

    def _open(self):
        self._kernels = {}
        self._engine = self.library.engine(self.name)

    def configure(self, key, number):
        """Sets how the simulator runs (docs/simulator.md)."""
        if self._simulator.fsmSimulatorConfigure(key.encode(), number):
            raise ValueError(f"expected a setting of the simulator, got {key}={number}")

    def accesses(self):
        """What the accesses of the last launch moved and what would have done; "sim" alone counts."""
        return self._simulator.fsmSimulatorAccesses().decode()

    def load(self, text):
        """The kernel of a text; Failure if FSM refuses it."""
        with self.alone:
            if text not in self._kernels:
                self._kernels[text] = self._engine.load(text, NAME)
            return self._kernels[text]

    def launch(self, text, grid, values, print_line):
        """Runs x * y * z programs; Failure if one of them fails."""
        with self.alone:
            kernel = self.load(text)
            if not self._simulator:
                return kernel.launch(grid, values, print_line)
            try:
                self._simulate(lambda: kernel.launch(grid, values, print_line))
            except (Failure, KeyboardInterrupt):
                self._open_anew()
                raise

    def _simulate(self, launch):
        """Launches on a thread of its own: Python looks for Ctrl-C in its first thread, when a call into a library is over, and a
        simulation may take minutes."""
        self._simulator.fsmSimulatorStop(0)
        if threading.current_thread() is not threading.main_thread():
            return launch()
        failures, over = [], threading.Event()

        def run():
            try:
                launch()
            except BaseException as failure:
                failures.append(failure)
            finally:
                over.set()

        threading.Thread(target=run).start()
        try:
            # Not join(), which takes a thread for ended when it is interrupted.
            over.wait()
        except BaseException:
            self._simulator.fsmSimulatorStop(1)
            # What it reads and writes must be there until it has ended, which it does at once.
            while not over.is_set():
                with contextlib.suppress(KeyboardInterrupt):
                    over.wait()
            raise
        for failure in failures:
            raise failure

    def _open_anew(self):
        # In this order: what belongs to the old context must not let go of the new one.
        for kernel in self._kernels.values():
            kernel.close()
        self._engine.close()
        self._simulator.cuDevicePrimaryCtxReset_v2(0)
        self._open()


_opened = {}


def opened(library, name):
    """The device of this name, of which a process has one: simulated GPUs share what brings them down."""
    if (library.path, name) not in _opened:
        _opened[library.path, name] = Device(library, name)
    return _opened[library.path, name]
