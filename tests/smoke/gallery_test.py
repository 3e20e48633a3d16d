#!/usr/bin/env python3
"""Is every picture of docs/gallery.md and README.md there, made by a command on the page, and every command shown?

usage: gallery_test.py ROOT
"""
import os
import re
import sys

MOST_BYTES = 3_000_000


def main():
    root = sys.argv[1]
    with open(os.path.join(root, "docs/gallery.md"), encoding="utf-8") as file:
        page = file.read()
    with open(os.path.join(root, "README.md"), encoding="utf-8") as file:
        readme = file.read()
    shown = set(re.findall(r"\]\(gallery/([^)]+)\)", page))
    commands = [line for block in re.findall(r"```sh\n(.*?)```", page, re.S) for line in
                (line.split("#")[0].rstrip() for line in block.splitlines())]
    made = {match.group(1) for match in (re.search(r"--out (\S+\.\w+)$", line) for line in commands) if match}
    runs = {match.group(2): match.group(1) for match in
            (re.match(r"muslin run (\S+) --out (\S+)$", line) for line in commands) if match}
    files = set(os.listdir(os.path.join(root, "docs/gallery")))

    wrong = [f"{name}: shown, but no command makes it" for name in sorted(shown - made)]
    wrong += [f"{name}: made, but not shown" for name in sorted(made - shown)]
    wrong += [f"{name}: shown, but not in docs/gallery; run scripts/gallery" for name in sorted(shown - files)]
    wrong += [f"{name}: in docs/gallery, but not shown" for name in sorted(files - shown)]
    wrong += [f"README.md: {name} is not on the page" for name in
              re.findall(r"\]\(docs/gallery/([^)]+)\)", readme) if name not in shown]
    for line in commands:
        match = re.match(r"muslin (?:run|render) (\S+) ", line)
        scene = match and match.group(1)
        if not scene:
            wrong.append(f"{line}: no command of ours")
        elif scene not in runs and not os.path.exists(os.path.join(root, "scenes", scene + ".json")):
            wrong.append(f"{line}: neither a scene nor an earlier run")
    size = sum(os.path.getsize(os.path.join(root, "docs/gallery", name)) for name in files)
    if size > MOST_BYTES:
        wrong.append(f"docs/gallery: {size} bytes, at most {MOST_BYTES}")
    print("\n".join(wrong) if wrong else f"{len(shown)} pictures, each with its command")
    return 1 if wrong or not shown else 0


if __name__ == "__main__":
    sys.exit(main())
