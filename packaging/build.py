"""`./dev package`: the program as a folder, a .deb and a .tar.zst under dist/, each started once."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import threading
import tomllib
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD, DIST = ROOT / "build", ROOT / "dist"
LARGEST = 260
"""product.md section 12: the folder's limit in MB."""
LISTED = 5
"""Parts of more MB than this are listed."""


def version() -> str:
    """The version of pyproject.toml."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])


def say(text: str) -> None:
    """Progress, on stderr."""
    print(f"bramble: {text}", file=sys.stderr, flush=True)


def build_folder() -> Path:
    """Run PyInstaller and return the folder. Raises SystemExit when it is too large."""
    say("packing the folder")
    options = ["--noconfirm", "--log-level", "WARN", "--distpath", str(DIST), "--workpath", str(BUILD)]
    command = [sys.executable, "-P", "-m", "PyInstaller", *options, str(ROOT / "packaging" / "bramble.spec")]
    subprocess.run(command, cwd=ROOT, check=True, stdout=sys.stderr)
    folder = DIST / "bramble"
    sizes = {
        path: path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink()
    }
    total = sum(sizes.values()) / 1e6
    for path, size in sorted(sizes.items(), key=lambda item: -item[1]):
        if size > LISTED * 1e6:
            say(f"{size / 1e6:7.1f} MB  {path.relative_to(folder)}")
    say(f"{total:7.1f} MB in {len(sizes)} files, at most {LARGEST} MB")
    if total > LARGEST:
        raise SystemExit("the folder is too large")
    return folder


def attaches(program: Path, environ: dict[str, str], folder: Path) -> None:
    """Attach one file of each kind: what reads it is loaded at its first need only. Raises SystemExit."""
    from docx import Document
    from openpyxl import Workbook
    from PIL import Image
    from pptx import Presentation

    Image.new("RGB", (2_000, 10), "red").save(folder / "a.png")
    shutil.copy(ROOT / "tests" / "documents" / "cases" / "photo.heic", folder / "a.heic")
    document, book, show = Document(), Workbook(), Presentation()
    document.add_paragraph("words")
    book.active.append(["words"])
    show.slides.add_slide(show.slide_layouts[0]).shapes.title.text = "words"
    for made, name in ((document, "a.docx"), (book, "a.xlsx"), (show, "a.pptx")):
        made.save(str(folder / name))
    words = [
        "ask",
        "--json",
        *(word for path in sorted(folder.glob("a.*")) for word in ("--attach", str(path))),
    ]
    nobody = {"BRAMBLE_BASE_URL": "http://127.0.0.1:9/v1", "BRAMBLE_API_KEY": "none", "BRAMBLE_MODEL": "none"}
    done = subprocess.run(
        [program, *words, "look"], env=environ | nobody, capture_output=True, text=True, timeout=120
    )
    if "no_network" not in done.stdout:  # where all could be read, only the model is missing
        raise SystemExit(f"attaching said: {done.stdout}{done.stderr}")


def reads_a_page(program: Path, environ: dict[str, str]) -> None:
    """Fetch a page of this computer: what finds its text is loaded in a child. Raises SystemExit."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            paragraphs = "".join(f"<p>Paragraph {n} of a page that was packed.</p>" for n in range(20))
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(f"<title>T</title><article>{paragraphs}</article>".encode())

        def log_message(self, *words: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    place = f"127.0.0.1:{server.server_port}"
    words = ["tools", "call", "web_fetch", "--args", json.dumps({"url": f"http://{place}/"}), "--json"]
    try:
        done = subprocess.run(
            [program, *words, "--allow", f"web_fetch({place})"],
            env=environ,
            capture_output=True,
            text=True,
            timeout=120,
        )
    finally:
        server.shutdown()
        server.server_close()
    if "the main text of the page" not in done.stdout or "Paragraph 19" not in done.stdout:
        raise SystemExit(f"reading a page said: {done.stdout}{done.stderr}")


def smoke(program: Path) -> None:
    """Start the packed program: its version, its tools, its window. Raises SystemExit with what it said."""
    with tempfile.TemporaryDirectory() as home:
        environ = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "BRAMBLE_", "QT_"))}
        environ |= {"BRAMBLE_HOME": home, "QT_QPA_PLATFORM": "offscreen", "BRAMBLE_TRACE_START": "0"}
        for words, expected in ((["--version"], version()), (["tools", "list"], "read_file")):
            done = subprocess.run([program, *words], env=environ, capture_output=True, text=True, timeout=60)
            if done.returncode or expected not in done.stdout:
                raise SystemExit(f"{words} said: {done.stdout}{done.stderr}")
        attaches(program, environ, Path(home))
        reads_a_page(program, environ)
        window = subprocess.Popen([program], env=environ, stderr=subprocess.PIPE, text=True, cwd=home)
        assert window.stderr is not None
        try:
            lines = []
            for line in window.stderr:
                lines.append(line)
                if line.startswith("start session_ms"):
                    break
            else:
                raise SystemExit(f"the window did not come up: {''.join(lines)}")
        finally:
            window.terminate()
            window.wait(20)
    say(f"{program.parent.name}: version, tools, attachments, a page and window start")


def build_tar(folder: Path, name: str) -> Path:
    """Pack the folder into a .tar.zst."""
    say("packing the .tar.zst")
    target = DIST / f"{name}.tar.zst"
    pack = ["tar", "--zstd", "--owner=0", "--group=0", "-cf", str(target), "-C", str(DIST), folder.name]
    subprocess.run(pack, check=True)
    return target


def build_deb(folder: Path, name: str, architecture: str) -> Path:
    """Lay out a Debian package around the folder and pack it."""
    say("packing the .deb")
    root = BUILD / "deb"
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(folder, root / "usr/lib/bramble", symlinks=True)
    (root / "usr/bin").mkdir(parents=True)
    (root / "usr/bin/bramble").symlink_to("../lib/bramble/bramble")
    _put(ROOT / "packaging/bramble.desktop", root / "usr/share/applications/bramble.desktop")
    _put(ROOT / "resources/icons/bramble.svg", root / "usr/share/icons/hicolor/scalable/apps/bramble.svg")
    _put(ROOT / "LICENSE", root / "usr/share/doc/bramble/copyright")
    size = sum(path.lstat().st_size for path in root.rglob("*")) // 1024
    control = (ROOT / "packaging/control").read_text(encoding="utf-8")
    for word, value in (("VERSION", version()), ("ARCHITECTURE", architecture), ("SIZE", str(size))):
        control = control.replace(f"@{word}@", value)
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN/control").write_text(control, encoding="utf-8")
    target = DIST / f"{name}.deb"
    pack = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(root), str(target)]
    subprocess.run(pack, check=True, stdout=sys.stderr)
    return target


def _put(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def smoke_packed(deb: Path, tar: Path) -> None:
    """Unpack both again and start what is in them."""
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(["dpkg-deb", "-x", deb, Path(place) / "deb"], check=True)
        smoke(Path(place) / "deb/usr/bin/bramble")
        subprocess.run(["tar", "-xf", tar, "-C", place], check=True)
        smoke(Path(place) / "bramble/bramble")


def main() -> int:
    """Build and try everything; the files and their hashes are printed on stdout."""
    architecture = {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    name = f"bramble_{version()}_{architecture}"
    folder = build_folder()
    smoke(folder / "bramble")
    tar, deb = build_tar(folder, name), build_deb(folder, name, architecture)
    smoke_packed(deb, tar)
    for path in (deb, tar):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        print(f"{digest}  {path.relative_to(ROOT)}  {path.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
