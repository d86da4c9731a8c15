#!/usr/bin/env python3
"""The debugger on a terminal: terminal.py KERNELTEST FILE. Types commands, among them Ctrl-C and an empty line, and looks
for their answers there; what the host prints must be what it prints without a debugger."""
import os
import pty
import subprocess
import sys
import termios
import time

TYPED = [
    ("", "breakpoint 1"),
    ("print 40 + 2\n", "42"),
    ("print 1 +\x03print 5 * 5\n", "25"),  # the line is taken back, and the host lives
    ("next\n", "=>   20"),
    ("\n", "=>   14"),  # the last command once more
    ("quit\n", "goes on without the debugger"),
]


def wait_for(master, words, seen):
    while words not in seen:
        part = os.read(master, 4096)
        if not part:
            break
        seen += part.decode(errors="replace")
    return seen


def main(tool, kernel):
    alone = subprocess.run([tool, kernel], stdout=subprocess.PIPE, check=False, stdin=subprocess.DEVNULL)
    master, slave = pty.openpty()
    environment = dict(os.environ, SIMTCL_BREAK="inlined:19,inlined:12", TERM="dumb")
    host = subprocess.Popen([tool, kernel], stdin=slave, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            env=environment, preexec_fn=lambda: (os.setsid(), __import__("fcntl").ioctl(0, 0x540E, 0)))
    os.close(slave)
    said = ""
    try:
        for typed, answer in TYPED:
            os.write(master, typed.encode())
            said = wait_for(master, answer, "")
            if typed != "quit\n":  # until it reads again Ctrl-C is the host's
                wait_for(master, "(simtcl) ", said[said.index(answer) + len(answer):])
                while termios.tcgetattr(master)[3] & termios.ICANON:
                    time.sleep(0.01)
    except OSError as error:
        print(f"the terminal was left: {error}, after {said!r}")
    out, err = host.communicate()
    if host.returncode or out != alone.stdout or err:
        print(f"the host ended with {host.returncode}: {out!r}, {err!r}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
