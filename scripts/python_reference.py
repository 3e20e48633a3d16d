#!/usr/bin/env python3
"""Writes what follows from the library's list of fields and from docstrings: muslin/parts.pyi, the stubs of the parts of
a scene, and docs/python_reference.md. A test holds both against what this would write.

usage: PYTHONPATH=build/release/python scripts/python_reference.py
"""
import inspect
import json
import os
import sys

if sys.argv[1:2] in (["-h"], ["--help"]):
    sys.exit(print(__doc__))

import muslin  # noqa: E402  (help needs none)

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
STUB = os.path.join(ROOT, "python", "muslin", "parts.pyi")
REFERENCE = os.path.join(ROOT, "docs", "python_reference.md")
NUMBERS = {"number": "float", "integer": "int", "boolean": "bool", "string": "str"}


def type_of(schema, key):
    """The annotation of a value."""
    if "allOf" in schema:
        return type_of(schema["allOf"][0], key)
    if "anyOf" in schema:
        return f"Union[{', '.join(dict.fromkeys(type_of(one, key) for one in schema['anyOf']))}]"
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f"Union[{name}, Mapping[str, Any]{', Any' if key == 'mesh' else ''}]"
    if "enum" in schema:
        return f"Literal[{', '.join(json.dumps(name) for name in schema['enum'])}]"
    if schema["type"] == "array":
        return f"Sequence[{type_of(schema['items'], key)}]"
    if schema["type"] == "null":
        return "None"
    return "Any" if key in ("file", "rest_mesh") else NUMBERS[schema["type"]]


def stub():
    """Of muslin.parts."""
    lines = ['"""Written by scripts/python_reference.py: the parts of a scene."""',
             "from typing import Any, Dict, Literal, Mapping, Sequence, Union", "",
             f"__all__ = {json.dumps(muslin.parts.__all__)}", "",
             "class Part(Dict[str, Any]):", "    def __init__(self, **keywords: Any) -> None: ...", ""]
    for name, definition in json.loads(muslin.schema())["definitions"].items():
        lines += [f"class {name}(Part):", "    def __init__(", "        self,", "        *,"]
        for key, value in definition["properties"].items():
            lines.append(f"        {key}: {type_of(value, key)} = ...,  # {value['description']}")
        lines += ["    ) -> None: ...", ""]
    return "\n".join(lines)


def heading(name, thing):
    try:
        signature = str(inspect.signature(thing))
    except (TypeError, ValueError):
        signature = ""
    return f"`{name}{signature}`".replace("'", "")


def members(cls):
    """Public functions and properties of a class, with their docstrings."""
    for name, thing in vars(cls).items():
        if isinstance(thing, (classmethod, staticmethod)):
            thing = thing.__func__
        if name.startswith("_") or not (inspect.isfunction(thing) or isinstance(thing, property)):
            continue
        text = " ".join(inspect.getdoc(thing).split()) if inspect.getdoc(thing) else ""
        yield (f"`{name}`" if isinstance(thing, property) else heading(name, thing)), text


def entry(name, thing):
    lines = [f"### {name}", "", inspect.getdoc(thing) or "", ""]
    if inspect.isfunction(thing):
        lines[0] = f"### {heading(name, thing)}"
    elif inspect.isclass(thing):
        lines += [f"- {title}: {text}" for title, text in members(thing) if text] + [""]
    return lines


def reference():
    """docs/python_reference.md."""
    parts = muslin.parts.__all__
    lines = ["# Python, call by call", "",
             "Written by `scripts/python_reference.py` from the docstrings; [how to begin](python.md).", ""]
    for name in muslin.__all__:
        if name in parts or name == "Report":
            continue
        lines += entry(name, getattr(muslin, name))
    lines += ["### Report", "", "What a frame tells. `Report.fields` names all of it:", ""]
    lines += [f"- `{name}`: {getattr(muslin.Report, name).__doc__}" for name in muslin.Report.fields] + [""]
    lines += ["## The parts of a scene", "", "Every keyword has the range that `muslin schema` tells.", ""]
    for name in parts:
        properties = json.loads(muslin.schema())["definitions"][name]["properties"]
        lines += [f"### {name}", ""]
        for key, value in properties.items():
            default = f" (default `{json.dumps(value['default'])}`)" if "default" in value else ""
            lines.append(f"- `{key}`: {value['description']}{default}")
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    for path, text in ((STUB, stub()), (REFERENCE, reference())):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
