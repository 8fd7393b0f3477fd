"""Runs a command that has to end soon: with an error that contains a text or, with --ok, well.

Call: in_time.py --seconds=S [--ok] TEXT COMMAND... - the time is that of the processor, which other processes on a busy
machine do not lengthen.
"""

import resource
import subprocess
import sys


def main():
    seconds = float(sys.argv[1].removeprefix("--seconds="))
    fine = sys.argv[2] == "--ok"
    text, *command = sys.argv[2 + fine:]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    time = used.ru_utime + used.ru_stime
    print(f"{time:.3f} s: exit code {done.returncode}: {done.stderr.strip() or done.stdout.strip()}")
    if time > seconds or (done.returncode == 0) != fine or text not in done.stderr:
        sys.exit(f"expected {'success' if fine else repr(text)} within {seconds} s")


if __name__ == "__main__":
    main()
