#!/usr/bin/env python3
"""What Doxygen reads in place of a file. Line numbers of headers stay.

Of a header, the members of a described struct get the sentence, unit and range that its fields() list has of them
(model/field.h), so that nobody writes them twice, and the whole joins a topic of the reference (topics.dox). Of a page,
links to files of the repository lead there from out/docs/html, and the topics come first.

usage: filter.py FILE
"""
import re
import sys

TEXT = r'"((?:[^"\\]|\\.)*)"'
VISIT = re.compile(r'visit\(\s*"\w+",\s*self\.(\w+),\s*\{((?:\s*' + TEXT + r')+)(?:,\s*' + TEXT + r'(?:,\s*Range::(\w+)\(([^)]*)\))?)?')
RANGES = {"positive": "> 0", "not_negative": "≥ 0", "any": ""}

# The first that a header's path begins with names its topic.
TOPICS = {
    "simulation": "run", "hands": "run", "version": "run", "model/report": "run", "model/saved": "run",
    "model/scene": "scene", "model/cloth_part": "scene", "model/settings": "scene", "model/fabrics": "scene",
    "model/field": "scene",
    "io/scene": "scene", "io/": "files", "geometry/": "meshes", "compare/": "compare", "audit/": "audit",
    "repair/": "audit", "model/": "inside", "energy/": "energies", "solver/": "solvers", "linear/": "solvers",
    "core/": "core",
}


def sentence(match):
    words = "".join(re.findall(TEXT, match.group(2)))
    unit, kind, limits = match.group(4), match.group(5), match.group(6)
    limit = RANGES.get(kind, limits and " to ".join(limits.split(", "))) if kind else ""
    return words + (f" [{unit}]" if unit else "") + (f"; {limit}" if limit else "")


def describe_fields(lines):
    start = 0
    for number, line in enumerate(lines):
        if re.match(r"struct \w+ \{|struct \w+$|class \w+", line):
            start = number
        if re.match(r"  static void (\w+_)?fields\(", line):
            end = next(k for k in range(number, len(lines)) if re.match(r"  \}$", lines[k]))
            for match in VISIT.finditer("\n".join(lines[number:end])):
                for k in range(start, number):
                    if re.match(rf"  [\w:<> ,]+ {match.group(1)}( = .*|\{{.*)?;$", lines[k]):
                        lines[k] += "  ///< " + sentence(match)
            if "void fields(" in line:
                first = number - 1 if "template" in lines[number - 1] else number
                for k in range(first, end + 1):
                    lines[k] = ""


def describe_energies(lines):
    """Where Energies has a member of every line of MUSLIN_ENERGIES, the members with what the list says of them."""
    listed = re.findall(r"ENERGY\((\w+), (\w+),\s*\\?\s*" + TEXT, "\n".join(lines))
    if "  MUSLIN_ENERGIES(MUSLIN_MEMBER)" in lines:
        place = lines.index("  MUSLIN_ENERGIES(MUSLIN_MEMBER)")
        lines[place] = " ".join(f"{kind} {name}; /**< {what} */" for name, kind, what in listed)


def join_topic(path, lines):
    inner = path.split("muslin/", 1)[1]
    topic = next((TOPICS[begin] for begin in TOPICS if inner.startswith(begin)), None)
    if topic and "namespace muslin {" in lines:
        lines[lines.index("namespace muslin {")] += f" /** @addtogroup {topic} */ /** @{{ */"
        last = len(lines) - 1 - lines[::-1].index("}  // namespace muslin")
        lines[last] = "/** @} */ " + lines[last]


def main():
    path = sys.argv[1]
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    if path.endswith(".md"):
        lines = [re.sub(r"\]\((?!\w+:|#)", "](../../../docs/", line) for line in lines]
        topics = ", ".join(f"\\ref {topic}" for topic in dict.fromkeys(TOPICS.values()))
        lines[1] = f"\nThe reference by topic: {topics}.\n"
    elif path.endswith(".h"):
        describe_fields(lines)
        describe_energies(lines)
        join_topic(path, lines)
    print(re.sub(r"(?<!\\)#rrggbb", r"\\#rrggbb", "\n".join(lines)))  # a colour, no link


if __name__ == "__main__":
    main()
