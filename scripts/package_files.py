"""What scripts/package packs with: archives whose bytes depend on their content alone, the libraries that a program needs, licence
texts and the bill of materials."""
import gzip
import hashlib
import io
import json
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import uuid
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Of glibc: every system has its own.
GLIBC = re.compile(r"lib(c|m|dl|rt|pthread|util|resolv|anl)\.so\.\d+$|ld-linux.*\.so\.\d+$")
# The libstdc++ that came with a release of GCC was in no system with an older glibc than this (PEP 600's profiles).
GLIBC_OF_GLIBCXX = {24: 28, 28: 31, 29: 34, 30: 35, 31: 38}


def output(*command, **options):
    return subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def version():
    return re.search(r"project\(muslin VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def epoch():
    """Seconds since 1970 that files in archives have: the commit's, or those that the caller gives."""
    return int(os.environ.get("SOURCE_DATE_EPOCH") or output("git", "-C", ROOT, "log", "-1", "--format=%ct"))


# --- archives ---------------------------------------------------------------------------------------------------------

def mode_of(path):
    return 0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644


def write_tar(archive, folder):
    """A folder as tar.xz or tar.gz (.tgz): sorted, of nobody, at the commit's time."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for path in [folder, *sorted(folder.rglob("*"))]:
            entry = tar.gettarinfo(path, str(path.relative_to(folder.parent)))
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = "root"
            entry.mtime, entry.mode = epoch(), 0o777 if path.is_symlink() else mode_of(path)
            if entry.isreg():
                with path.open("rb") as content:
                    tar.addfile(entry, content)
            else:
                tar.addfile(entry)
    if archive.suffix == ".xz":
        archive.write_bytes(lzma.compress(plain.getvalue(), preset=9 | lzma.PRESET_EXTREME))
    else:
        archive.write_bytes(gzip.compress(plain.getvalue(), 9, mtime=0))


def write_zip(archive, folder):
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(str(path.relative_to(folder.parent)), (1980, 1, 1, 0, 0, 0))
                entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, mode_of(path) << 16
                packed.writestr(entry, path.read_bytes(), compresslevel=9)


# --- programs and libraries ------------------------------------------------------------------------------------------

def needed(file):
    """Names of the shared libraries that a program or library asks for itself."""
    return re.findall(r"\(NEEDED\).*\[(.+)\]", output("readelf", "-d", file))


def found_libraries(file):
    """name -> path of all libraries that the loader brings for a file, but glibc's."""
    lines = re.findall(r"^\s*(\S+) => (/\S+)", output("ldd", file), re.M)
    return {name: pathlib.Path(path) for name, path in lines if not GLIBC.match(name)}


def symbol_versions(file, name):
    """The versions of symbols called NAME_x.y.z that a file asks others for, as tuples."""
    section = output("readelf", "--version-info", "-W", file).split("Version needs section")
    words = re.findall(rf"Name: {name}_([0-9.]+)", section[1]) if len(section) > 1 else []
    return [tuple(map(int, word.split("."))) for word in words]


def oldest_glibc(files, system_libstdcxx=False):
    """The minor version of glibc 2 that files need; with the libstdc++ of the system, if that is what they run with."""
    minors = [number[1] for file in files for number in symbol_versions(file, "GLIBC")]
    if system_libstdcxx:
        highest = max(number[2] for file in files for number in symbol_versions(file, "GLIBCXX") if len(number) == 3)
        minors.append(min(glibc for glibcxx, glibc in GLIBC_OF_GLIBCXX.items() if glibcxx >= highest))
    return max(minors)


def set_path(file, path):
    subprocess.run(["patchelf", "--set-rpath", path, file], check=True)


def bundle(program, folder, but=()):
    """Copies the libraries that a program needs into a folder, from where it takes them; the Debian packages they came from."""
    folder.mkdir(parents=True, exist_ok=True)
    packages = set()
    for name, path in sorted(found_libraries(program).items()):
        if name in but:
            continue
        shutil.copyfile(path.resolve(), folder / name)
        (folder / name).chmod(0o755)
        set_path(folder / name, "$ORIGIN")
        packages.add(package_of(path))
    set_path(program, "$ORIGIN/" + os.path.relpath(folder, program.parent))
    return packages


# --- whose work is inside ---------------------------------------------------------------------------------------------

def package_of(file):
    """The Debian package that a file came from."""
    for name in (file, pathlib.Path("/usr") / file.relative_to("/"), pathlib.Path(str(file).removeprefix("/usr")), file.resolve()):
        found = subprocess.run(["dpkg", "-S", name], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    raise SystemExit(f"scripts/package: no Debian package has {file}")


def licence_of(package):
    """Debian's text of a package's licences; of Boost, whose text of 2 MB names each of its libraries, the one that all share."""
    text = (pathlib.Path("/usr/share/doc") / package / "copyright").read_text(errors="replace")
    if package.startswith("libboost"):
        text = next(found for found in re.findall(r"^License: BSL-1\.0\n(?: .*\n)+", text, re.M) if "Permission is hereby granted" in found)
    return text


def notices(packages):
    """Licence texts of Muslin, of musl's mathematics, and of what the packages brought."""
    parts = [("Muslin", (ROOT / "LICENSE").read_text()),
             ("musl's mathematics", (ROOT / "third_party/musl_maths/COPYRIGHT").read_text())]
    parts += [(package, licence_of(package)) for package in sorted(packages)]
    rule = "=" * 80
    return "".join(f"{rule}\n{name}\n{rule}\n\n{text.rstrip()}\n\n" for name, text in parts)


def bill_of_materials(artifacts, inside):
    """CycloneDX: the artifacts with their hashes, and what is inside them; `inside` is artifact name -> Debian packages."""
    components = []
    for package in sorted(set().union(*inside.values())):
        number, source = output("dpkg-query", "-W", "-f", "${Version} ${source:Package}", package).split()
        holders = sorted(name for name, packages in inside.items() if package in packages)
        components.append({
            "type": "library", "bom-ref": package, "name": package, "version": number,
            "purl": f"pkg:deb/debian/{package}@{number.replace('+', '%2B').replace('~', '%7E')}?distro=debian-12",
            "licenses": [{"license": {"name": f"see {package} in NOTICES"}}],
            "properties": [{"name": "debian:source", "value": source}] + [{"name": "muslin:inside", "value": name} for name in holders]})
    musl = re.search(r"musl ([0-9.]+)'s", (ROOT / "third_party/musl_maths/README.md").read_text())[1]
    components.append({"type": "library", "bom-ref": "musl_maths", "name": "musl", "version": musl, "licenses": [{"license": {"id": "MIT"}}],
                       "description": "its mathematics alone (third_party/musl_maths)"})
    files = [{"type": "file", "bom-ref": path.name, "name": path.name, "hashes": [{"alg": "SHA-256", "content": sha256(path)}]}
             for path in artifacts]
    bom = {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {"component": {"type": "application", "bom-ref": "muslin", "name": "muslin", "version": version(),
                                   "licenses": [{"license": {"id": "MIT"}}]}},
        "components": files + components,
        "dependencies": [{"ref": "muslin", "dependsOn": [component["bom-ref"] for component in components]}]}
    bom["serialNumber"] = "urn:uuid:" + str(uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(bom, sort_keys=True)))
    return json.dumps(bom, indent=1, sort_keys=True) + "\n"


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()
