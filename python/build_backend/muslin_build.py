"""What pip calls to build Muslin [PEP 517]: CMake builds the module, and this packs it. It needs nothing from PyPI where
CMake, Ninja and pybind11 are installed (Debian: scripts/setup installs them)."""
import base64
import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
PACKAGE = os.path.join(ROOT, "python", "muslin")
SUMMARY = "Cloth simulation with its error made visible"


def version():
    """As CMake has it."""
    with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"project\(muslin VERSION ([0-9.]+)", file.read())[1]


def get_requires_for_build_wheel(config_settings=None):
    wanted = [tool for tool in ("cmake", "ninja") if not shutil.which(tool)]
    headers = [os.path.join(prefix, "include", "pybind11", "pybind11.h") for prefix in ("/usr", "/usr/local")]
    return wanted + ([] if any(map(os.path.exists, headers)) else ["pybind11>=2.10"])


def get_requires_for_build_sdist(config_settings=None):
    return []


def compiled():
    """Builds the module; the folder that has it."""
    folder = os.path.join(ROOT, "build", "wheel")
    options = ["-DMUSLIN_PYTHON=ON", "-DMUSLIN_TESTS=OFF", "-DMUSLIN_VIEWER=OFF", "-DMUSLIN_HDF5=OFF",
               "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_UNITY_BUILD=ON", f"-DMUSLIN_PYTHON_PROGRAM={sys.executable}"]
    try:
        import pybind11
        options.append(f"-Dpybind11_DIR={pybind11.get_cmake_dir()}")
    except ImportError:
        pass  # CMake finds the system's
    if shutil.which("ccache"):
        options.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", *options], check=True)
    subprocess.run(["cmake", "--build", folder, "--target", "muslin_python"], check=True)
    return os.path.join(folder, "python", "muslin")


def files_of(native):
    """(name in the wheel, file) of all that the package has."""
    for name in sorted(os.listdir(PACKAGE)):
        if name.endswith((".py", ".pyi")) or name == "py.typed":
            yield f"muslin/{name}", os.path.join(PACKAGE, name)
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    yield f"muslin/_native{suffix}", os.path.join(native, f"_native{suffix}")
    scenes = os.path.join(ROOT, "scenes")
    for folder, folders, names in os.walk(scenes):
        folders.sort()
        for name in sorted(names):
            file = os.path.join(folder, name)
            yield "muslin/scenes/" + os.path.relpath(file, scenes).replace(os.sep, "/"), file


def metadata():
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        readme = file.read()
    return (f"Metadata-Version: 2.1\nName: muslin\nVersion: {version()}\nSummary: {SUMMARY}\nLicense: MIT\n"
            "Requires-Python: >=3.9\nRequires-Dist: numpy\nDescription-Content-Type: text/markdown\n\n" + readme)


def pack(native, wheel_directory, platform=None, libraries=None, notices=None):
    """Writes the wheel of a compiled module; its file name. With a folder of libraries that the module looks for in muslin.libs,
    their licence texts, and the platform that all of them run on (scripts/package)."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = platform or re.sub("[-.]", "_", sysconfig.get_platform())
    name, info = f"muslin-{version()}-{python}-{python}-{platform}.whl", f"muslin-{version()}.dist-info"
    wheel = f"Wheel-Version: 1.0\nGenerator: muslin_build\nRoot-Is-Purelib: false\nTag: {python}-{python}-{platform}\n"
    records = []
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as archive:
        def add(path, content):
            entry = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))  # the same bytes whenever it is packed
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            records.append(f"{path},sha256={digest},{len(content)}\n")

        for path, file in files_of(native):
            with open(file, "rb") as source:
                add(path, source.read())
        for library in sorted(os.listdir(libraries)) if libraries else []:
            with open(os.path.join(libraries, library), "rb") as source:
                add(f"muslin.libs/{library}", source.read())
        for name_inside, file in {"LICENSE": os.path.join(ROOT, "LICENSE"), "NOTICES": notices}.items():
            if file:
                with open(file, "rb") as source:
                    add(f"{info}/{name_inside}", source.read())
        add(f"{info}/METADATA", metadata().encode())
        add(f"{info}/WHEEL", wheel.encode())
        add(f"{info}/RECORD", ("".join(records) + f"{info}/RECORD,,\n").encode())
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return pack(compiled(), wheel_directory)


def build_sdist(sdist_directory, config_settings=None):
    """The commit, and PKG-INFO; its bytes depend on nothing else."""
    name = f"muslin-{version()}"
    of_commit = subprocess.run(["git", "-C", ROOT, "archive", f"--prefix={name}/", "HEAD"], check=True, stdout=subprocess.PIPE).stdout
    plain = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(of_commit)) as commit, tarfile.open(fileobj=plain, mode="w") as archive:
        entries = commit.getmembers()
        for entry in entries:
            archive.addfile(entry, commit.extractfile(entry) if entry.isreg() else None)
        info = tarfile.TarInfo(f"{name}/PKG-INFO")
        content = metadata().encode()
        info.size, info.mtime = len(content), entries[0].mtime
        archive.addfile(info, io.BytesIO(content))
    with open(os.path.join(sdist_directory, name + ".tar.gz"), "wb") as file:
        file.write(gzip.compress(plain.getvalue(), 9, mtime=0))
    return name + ".tar.gz"
