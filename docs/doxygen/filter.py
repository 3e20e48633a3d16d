#!/usr/bin/env python3
"""What Doxygen reads in place of a header: the members of a described struct get the sentence, unit and range that its
fields() list has of them (model/field.h), so that nobody writes them twice. Line numbers stay.

usage: filter.py HEADER
"""
import re
import sys

TEXT = r'"((?:[^"\\]|\\.)*)"'
VISIT = re.compile(r'visit\(\s*"\w+",\s*self\.(\w+),\s*\{((?:\s*' + TEXT + r')+)(?:,\s*' + TEXT + r'(?:,\s*Range::(\w+)\(([^)]*)\))?)?')
RANGES = {"positive": "> 0", "not_negative": "≥ 0", "any": ""}


def sentence(match):
    words = "".join(re.findall(TEXT, match.group(2)))
    unit, kind, limits = match.group(4), match.group(5), match.group(6)
    limit = RANGES.get(kind, limits and " to ".join(limits.split(", "))) if kind else ""
    return words + (f" [{unit}]" if unit else "") + (f"; {limit}" if limit else "")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = file.read().splitlines()
    start = 0
    for number, line in enumerate(lines):
        if re.match(r"struct \w+ \{|struct \w+$|class \w+", line):
            start = number
        if re.search(r"static void (\w+_)?fields\(", line):
            end = next(k for k in range(number, len(lines)) if re.match(r"  \}$", lines[k]))
            for match in VISIT.finditer("\n".join(lines[number:end])):
                for k in range(start, number):
                    if re.match(rf"  [\w:<> ,]+ {match.group(1)}( = .*|\{{.*)?;$", lines[k]):
                        lines[k] += "  ///< " + sentence(match)
            first = number - 1 if "template" in lines[number - 1] else number
            for k in range(first, end + 1):
                lines[k] = ""
    print("\n".join(lines))


if __name__ == "__main__":
    main()
