#!/usr/bin/env python3
"""Has every record in docs/decisions a date and at most ten lines, and the index all of them in order?

usage: decisions_test.py ROOT
"""
import os
import re
import sys


def main():
    folder = os.path.join(sys.argv[1], "docs", "decisions")
    with open(os.path.join(folder, "README.md"), encoding="utf-8") as file:
        index = re.findall(r"^- (\S+) \[(.*)\]\((.*)\)$", file.read(), re.M)
    wrong = []
    records = {}
    for name in sorted(set(os.listdir(folder)) - {"README.md"}):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            lines = file.read().splitlines()
        date = re.match(r"\d{4}-\d\d-\d\d", name)
        records[name] = (date and date.group(), lines[0].removeprefix("# "))
        if len(lines) > 10:
            wrong.append(f"{name}: at most ten lines, has {len(lines)}")
        if not date or not lines[2].startswith(date.group() + ". "):
            wrong.append(f"{name}: its name and its third line begin with the same date")
    for date, title, name in index:
        if records.get(name) != (date, title):
            wrong.append(f"README.md: {date} {title} ({name}), but the file has {records.get(name)}")
    wrong += [f"README.md: {name} is missing" for name in records if name not in {entry[2] for entry in index}]
    if [entry[0] for entry in index] != sorted(entry[0] for entry in index):
        wrong.append("README.md: dates are not in order")
    print("\n".join(wrong) or f"{len(records)} decisions, all in the index")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
