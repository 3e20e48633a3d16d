# Sourced by the other scripts: strict bash, the root of the checkout, all cores, ccache where there is one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export CXX=${CXX:-g++}
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
export CTEST_PARALLEL_LEVEL=${CTEST_PARALLEL_LEVEL:-$(nproc)}
if command -v ccache >/dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime  # or it keeps nothing of the tests

say() { printf '\n== %s\n' "$*"; }

# build PRESET [TARGET...]: configures, then builds the targets (all without any).
build() {
  local preset=$1
  shift
  say "build $preset ${*:-everything}"
  cmake --preset "$preset" --log-level=WARNING
  cmake --build --preset "$preset" ${1:+--target "$@"}
}

# cpp_files FOLDER...: the C++ files below those folders that exist.
cpp_files() {
  local folder
  for folder in "$@"; do
    if [ -d "$folder" ]; then
      find "$folder" -name node_modules -prune -o \( -name '*.h' -o -name '*.cpp' \) -print
    fi
  done | sort
}
