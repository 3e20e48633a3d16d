"""A display without a screen, the viewer in it, and hands for it: Xvfb, the program and xdotool."""
import os
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import threading
import time
import zlib

PATIENCE = 60  # [s] for anything to happen on a machine that has other things to do


def missing_tools():
    return [tool for tool in ("Xvfb", "xdotool") if not shutil.which(tool)]


class Display:
    """An X server that draws into memory, on the first display number that is free."""

    def __init__(self, size="1280x1024"):
        reader, writer = os.pipe()
        self.memory = tempfile.TemporaryDirectory(prefix="muslin_screen_")
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), "-screen", "0", size + "x24", "-nolisten", "tcp", "-noreset",
             "-fbdir", self.memory.name],
            pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writer)
        number = os.fdopen(reader).readline().strip()  # it comes when the server is ready
        if not number:
            raise RuntimeError("Xvfb did not start")
        self.environment = dict(os.environ, DISPLAY=":" + number, LIBGL_ALWAYS_SOFTWARE="1")
        self.environment.pop("WAYLAND_DISPLAY", None)

    def picture(self):
        """What is on the screen: (width, height, rows of RGB bytes)."""
        with open(os.path.join(self.memory.name, "Xvfb_screen0"), "rb") as file:
            data = file.read()
        header = struct.unpack(">25I", data[:100])  # an XWD file: see XWDFile.h
        width, height, stride, colours = header[4], header[5], header[12], header[19]
        start, rows = header[0] + 12 * colours, []
        for y in range(height):
            line = data[start + y * stride:start + y * stride + 4 * width]  # blue, green, red, nothing
            row = bytearray(3 * width)
            row[0::3], row[1::3], row[2::3] = line[2::4], line[1::4], line[0::4]
            rows.append(bytes(row))
        return width, height, rows

    def close(self):
        self.server.terminate()
        self.server.wait()
        self.memory.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Viewer:
    """`muslin view --log` with its lines, its window, and a mouse and keys."""

    def __init__(self, display, program, arguments, environment=None):
        self.environment = dict(display.environment, **(environment or {}))
        self.process = subprocess.Popen([program, "view", "--log"] + arguments, env=self.environment,
                                        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        self.lines = []
        self.arrived = threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self.process.stderr:
            with self.arrived:
                self.lines.append(line.rstrip("\n"))
                self.arrived.notify_all()
        with self.arrived:
            self.lines.append("(the end)")
            self.arrived.notify_all()

    def mark(self):
        """The place in the log from which `wait_for` shall look."""
        with self.arrived:
            return len(self.lines)

    def wait_for(self, pattern, since=0, patience=PATIENCE):
        """The match of the first line since a mark that has the pattern."""
        end = time.monotonic() + patience
        with self.arrived:
            while True:
                for line in self.lines[since:]:
                    match = re.search(pattern, line)
                    if match:
                        return match
                left = end - time.monotonic()
                if left <= 0 or (self.lines and self.lines[-1] == "(the end)"):
                    tail = "\n  ".join(self.lines[-25:])
                    raise AssertionError(f"no line has '{pattern}'; the last are\n  {tail}")
                self.arrived.wait(left)

    def hand(self, *arguments):
        return subprocess.run(["xdotool", *map(str, arguments)], env=self.environment, check=True,
                              capture_output=True, text=True).stdout

    def find_window(self, shows_scene=True):
        """Waits for the window and, where it shows a scene, its first picture; keys go to it from then on."""
        if shows_scene:
            self.wait_for(r"drawn in")
        self.window = self.hand("search", "--sync", "--onlyvisible", "--name", "Muslin").split()[0]
        self.hand("windowfocus", "--sync", self.window)

    def key(self, name, pattern):
        """Presses a key and waits for the line that it brings."""
        since = self.mark()
        self.hand("key", name)
        return self.wait_for(pattern, since)

    def point(self, x, y):
        self.hand("mousemove", "--window", self.window, x, y)

    def next_drawing(self):
        """Waits for a picture that begins after now."""
        since = self.mark()
        for _ in range(2):
            match = self.wait_for(r"drawn in", since)
            since = self.mark()
        return match

    def end(self):
        """Closes it as a window manager does; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)


def read_png(path):
    """(width, height, rows of RGB bytes) of an 8-bit RGB PNG without interlacing."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    at, body, width, height = 8, b"", 0, 0
    while at < len(data):
        length, kind = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        chunk = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height = int.from_bytes(chunk[:4], "big"), int.from_bytes(chunk[4:8], "big")
            assert chunk[8:10] == b"\x08\x02", "8-bit RGB expected"
        elif kind == b"IDAT":
            body += chunk
        at += length + 12
    return width, height, unfilter(zlib.decompress(body), width, height)


def write_png(path, picture, left=0, top=0, right=None, bottom=None):
    """Writes a part of a picture as PNG."""
    width, height, rows = picture
    right, bottom = right or width, bottom or height
    body = b"".join(b"\0" + rows[y][3 * left:3 * right] for y in range(top, bottom))

    def chunk(kind, content):
        return len(content).to_bytes(4, "big") + kind + content + zlib.crc32(kind + content).to_bytes(4, "big")

    header = struct.pack(">IIBBBBB", right - left, bottom - top, 8, 2, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(body, 9)) +
                   chunk(b"IEND", b""))


def unfilter(data, width, height):
    """Undoes the prediction of every row [PNG specification, section 9]."""
    stride, rows, above = 3 * width, [], bytes(3 * width)
    for y in range(height):
        kind, line = data[y * (stride + 1)], bytearray(data[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            left = line[i - 3] if i >= 3 else 0
            up = above[i]
            if kind == 1:
                line[i] = (line[i] + left) & 255
            elif kind == 2:
                line[i] = (line[i] + up) & 255
            elif kind == 3:
                line[i] = (line[i] + (left + up) // 2) & 255
            elif kind == 4:
                corner = above[i - 3] if i >= 3 else 0
                guess = left + up - corner
                distances = (abs(guess - left), abs(guess - up), abs(guess - corner))
                line[i] = (line[i] + (left, up, corner)[distances.index(min(distances))]) & 255
        rows.append(bytes(line))
        above = rows[-1]
    return rows


def differing_fraction(first, second):
    """The fraction of pixels of two pictures that differ by more than 24 of 255 in any colour."""
    assert first[:2] == second[:2], (first[:2], second[:2])
    width, height = first[:2]
    count = 0
    for one, other in zip(first[2], second[2]):
        if one == other:
            continue
        for x in range(0, 3 * width, 3):
            count += max(abs(one[x] - other[x]), abs(one[x + 1] - other[x + 1]), abs(one[x + 2] - other[x + 2])) > 24
    return count / (width * height)


def temporary_folder():
    return tempfile.TemporaryDirectory(prefix="muslin_viewer_")
