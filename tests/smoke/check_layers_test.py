"""scripts/check_layers finds planted violations, names their place, and lets clean files pass."""
import pathlib
import subprocess
import sys
import tempfile

CHECK = sys.argv[1]

# file -> (content, what must be said of it; None: nothing)
PLANTED = {
    "src/muslin/io/obj.cpp": ('\n#include "muslin/solver/solver.h"\n',
                              'src/muslin/io/obj.cpp:2: io must not include solver ("muslin/solver/solver.h")'),
    "src/muslin/solver/newton.cpp": ('#include "muslin/simulation.h"\n',
                                     'src/muslin/solver/newton.cpp:1: solver must not include simulation'),
    "src/muslin/render/png.cpp": ('#include "muslin/io/scene_json.h"\n', "src/muslin/render/png.cpp:1: render must"),
    "src/muslin/new_room/a.cpp": ('#include "muslin/core/types.h"\n', "new_room is not a room"),
    "src/muslin/core/a.cpp": ('#include "types.h"\n', "src/muslin/core/a.cpp:1: write includes"),
    "src/muslin/core/b.cpp": ("#include <muslin/core/types.h>\n", 'src/muslin/core/b.cpp:1: write "muslin'),
    "src/muslin/core/c.cpp": ("#include <ranges>\n", "src/muslin/core/c.cpp:1: <ranges>"),
    "src/muslin/core/d.h": ("\n\nusing namespace std;\n", "src/muslin/core/d.h:3: a header must not"),
    "src/muslin/model/a.cpp": ("\ndouble x = std::sin(1.0);\n", "src/muslin/model/a.cpp:2: std::sin has other bits"),
    "src/muslin/model/b.cpp": ("using std::atan2;\n", "src/muslin/model/b.cpp:1: std::atan2 has other bits"),
    "src/muslin/model/c.cpp": ("double x = log(2.0);\n", "src/muslin/model/c.cpp:1: log may be the C library's"),
    "src/muslin/model/d.cpp": ("Eigen::AngleAxisd turn;\n", "src/muslin/model/d.cpp:1: Eigen's AngleAxisd takes"),
    "src/muslin/model/e.cpp": ('#include "muslin/core/maths.h"\nusing maths::log;\ndouble x = log(2.0), y = std::sqrt(x);\n'
                               "// std::log\n", None),
    "src/muslin/render/sine.cpp": ("double x = std::sin(1.0);\n", None),
    "tests/unit/sine_test.cpp": ("double x = std::sin(1.0);\n", None),
    "tests/unit/long_test.cpp": ("\n" * 1201, "tests/unit/long_test.cpp:1201: a file has at most 1200 lines"),
    "apps/viewer/main.cpp": ('#include "../cli/run.h"\n', "apps/viewer/main.cpp:1: apps/viewer may include"),
    "apps/viewer/viewer.h": ("", None),
    "apps/viewer/panel.h": ("", None),
    "apps/cli/view.cpp": ('#include "viewer/viewer.h"\n', None),
    "apps/cli/look.cpp": ('#include "viewer/panel.h"\n', "apps/cli/look.cpp:1: apps/cli may include"),
    "apps/cli/run.h": ("", None),
    "apps/cli/system.cpp": ("\n#ifdef _WIN32\n#endif\n", "apps/cli/system.cpp:2: _WIN32: what systems say differently"),
    "src/muslin/io/system.cpp": ("#if defined(__linux__)\n", "src/muslin/io/system.cpp:1: __linux__: what systems say differently"),
    "src/muslin/platform/system_posix.cpp": ("#ifdef __linux__\n#endif\n", None),
    "apps/cli/main.cpp": ('#include "run.h"\n#include "muslin/muslin.h"\n#include <vector>\n', None),
    "src/muslin/io/ply.cpp": ('#include "muslin/model/model.h"\n#include <vector>\n', None),
    "src/muslin/render/ok.cpp": ('#include "muslin/io/file.h"\n#include "muslin/render/camera.h"\n', None),
    "src/muslin/simulation.cpp": ('#include "muslin/simulation.h"\n#include "muslin/solver/solver.h"\n', None),
    "src/muslin/geometry/piece.h": ("struct Told;\nstruct Piece {};\n", None),
    "src/muslin/model/piece.h": ("struct Told;\nstruct Piece {};\n",
                                 "src/muslin/model/piece.h:2: Piece is a type of src/muslin/geometry/piece.h, too"),
    "src/muslin/core/e.cpp": ("using namespace std;\n" + "\n" * 599, None),
}


def check(files):
    """Exit code and output of the script on a tree with these files."""
    with tempfile.TemporaryDirectory() as root:
        for path, content in files.items():
            file = pathlib.Path(root, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content)
        run = subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr


def expect(condition, what, output):
    if not condition:
        sys.exit(f"{what}; the script said:\n{output}")


code, output = check({path: content for path, (content, _) in PLANTED.items()})
expect(code == 1, "planted violations must give exit code 1", output)
for path, (_, message) in PLANTED.items():
    if message:
        expect(message in output, f"expected: {message}", output)
    else:
        expect(path + ":" not in output, f"{path} is clean", output)

code, output = check({path: content for path, (content, message) in PLANTED.items() if message is None})
expect(code == 0, "a clean tree must give exit code 0", output)
code, output = check({})
expect(code == 1, "a tree without sources is a mistake of the caller", output)
