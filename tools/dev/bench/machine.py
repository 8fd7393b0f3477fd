"""What machine this is, for the head of a log."""

import os
import platform
import shutil
import subprocess

COMMANDS = (("nvidia-smi",), ("uname", "-r"), ("nvcc", "--version"), ("ptxas", "--version"),
            ("compute-sanitizer", "--version"))
QUERY = ("nvidia-smi", "--query-gpu=name,driver_version,memory.total,clocks.sm,clocks.mem", "--format=csv,noheader")


def output_of(command):
    """What a command prints, or why there is nothing."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{command[0]}: {error}"
    return (done.stdout + done.stderr).strip()


def description():
    """One string per command, for people."""
    return "\n".join(f"$ {' '.join(command)}\n{output_of(command)}" for command in (*COMMANDS, QUERY))


def summary():
    """The same for programs."""
    return {"gpu": output_of(QUERY), "kernel": platform.release(), "cores": os.cpu_count(), "python": platform.python_version()}


def sanitizer_missing():
    """Why compute-sanitizer cannot run here, or nothing."""
    if not shutil.which("compute-sanitizer"):
        return "compute-sanitizer is not installed"
    if platform.release().startswith("4.4.0"):
        return "the kernel is gVisor's (4.4.0), where compute-sanitizer refuses the device"
    return ""
