#!/usr/bin/env python3
"""Does what a page of docs/ says, in a folder of its own: docs_page.py PAGE FOLDER.

What stands between fences is, by the words behind the first fence:
  LANGUAGE NAME  a file of that name, there before anything runs
  sh             commands, run by one shell after the other blocks of the page; `sh not here` are not run
  text           lines that the commands before it print
A file of YAML is one of a CI service: each command in it must stand in a block of commands, and the first line of a
conditional, which a service runs where it has kept something, may be added."""
import os
import re
import subprocess
import sys

import yaml

COMMANDS = {"run", "script", "before_script"}
ADDED = re.compile(r"^(if .*|fi)$")


def blocks(page):
    """(words behind the fence, text) of each block of the page."""
    with open(page, encoding="utf-8") as f:
        return re.findall(r"^```([^\n]*)\n(.*?)^```$", f.read(), re.M | re.S)


def commands_of(node):
    """The lines of shell in what a CI file says."""
    if isinstance(node, list):
        for item in node:
            yield from commands_of(item)
    elif isinstance(node, dict):
        for key, value in node.items():
            if key in COMMANDS:
                for text in value if isinstance(value, list) else [value]:
                    yield from str(text).splitlines()
            else:
                yield from commands_of(value)


def main(page, folder):
    found = blocks(page)
    shell = [text for words, text in found if words.split()[:1] == ["sh"]]
    known = {line.strip() for text in shell for line in text.splitlines()}
    wrong, ran = [], 0
    for words, text in found:
        if len(words.split()) != 2 or words.startswith("sh"):
            continue
        name = os.path.join(folder, words.split()[1])
        os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "w", encoding="utf-8") as f:
            f.write(text)
        if words.startswith("yaml"):
            lines = [line.strip() for line in commands_of(yaml.safe_load(text))]
            wrong += [f"{name}: no block has: {x}" for x in lines if x not in known and not ADDED.match(x)]
            if not lines:
                wrong.append(f"{name}: no commands")
    script, said = "set -eu\n", ""
    for words, text in found:
        if words == "sh":
            script += text
            run = subprocess.run(["bash", "-c", script], cwd=folder, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True, check=False)
            said, ran = run.stdout, ran + 1
            if run.returncode:
                wrong.append(f"{text}ends with {run.returncode}, says:\n{said}")
        elif words == "text":
            wrong += [f"not said: {x}\nbut:\n{said}" for x in text.splitlines() if x.strip() not in said]
    if not ran:
        wrong.append(f"{page}: nothing to run")
    print("\n".join(wrong) or f"{page}: {ran} blocks, as it says")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
