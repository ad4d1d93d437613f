"""How a remedy takes a file back, in words that what adapts it can find again."""

from __future__ import annotations

UNDO = "undo it with `git restore --staged --worktree :PATH` (unstaged edits of it are lost, too)"
OWN_COMMIT = "commit it from a shell that no agent started"
# Of a file that is new the other one would delete the only copy.
LEAVE_OUT = "leave it out of the commit with `git restore --staged :PATH` (the file itself stays)"
