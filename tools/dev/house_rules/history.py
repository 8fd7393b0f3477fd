"""What commits say."""

import re
import subprocess

from .tree import Finding

# The rule is younger than the repository: nothing is asked of the commits up to this one.
SINCE = "a49e323af763b5c1bd083009d0383cf6f49c2ebe"
LINES_WITHOUT_BODY = 30

_TRAILER = re.compile(r"[A-Z][\w-]*(?:-by|-with): ")


def _git(root, *arguments):
    """What git prints, or None where it fails: there is no history, or not so much of it."""
    command = ["git", "-C", str(root), *arguments]
    try:
        return subprocess.run(command, capture_output=True, check=True).stdout.decode(errors="replace")
    except (OSError, subprocess.CalledProcessError):
        return None


def _changed_lines(numstat):
    """Lines added or deleted, whichever is more, so that a changed line counts once; binary files have none."""
    rows = [line.split("\t")[:2] for line in numstat.splitlines() if line.strip()]
    numbers = [[int(number) for number in row] for row in rows if all(map(str.isdigit, row))]
    return max(sum(added for added, _ in numbers), sum(deleted for _, deleted in numbers)) if numbers else 0


def commits_say_why(root, since=SINCE):
    """A commit that changes more than 30 lines, files that only moved not counted, has a body."""
    if not (root / ".git").exists() or _git(root, "merge-base", "--is-ancestor", since, "HEAD") is None:
        return
    log = _git(root, "log", "--no-merges", "--find-renames", "--format=%x00%h%x01%b%x01", "--numstat", f"{since}..HEAD")
    for commit in log.split("\0")[1:]:
        number, body, numstat = commit.split("\1")
        lines = _changed_lines(numstat)
        says_something = any(line.strip() and not _TRAILER.match(line) for line in body.splitlines())
        if lines > LINES_WITHOUT_BODY and not says_something:
            yield Finding(f"commit {number}", 1, f"it changes {lines} lines, and its message has no body: say why")
