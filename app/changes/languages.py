"""Which language a file is written in, by its name, as an alias of pygments, without loading pygments."""

from __future__ import annotations

_NAMES = {
    "dockerfile": "docker",
    "makefile": "make",
    "gnumakefile": "make",
    "cmakelists.txt": "cmake",
    "gemfile": "ruby",
    "rakefile": "ruby",
    ".bashrc": "bash",
    ".profile": "bash",
    ".zshrc": "zsh",
}
_ENDINGS = {
    "python": "py pyi pyw",
    "javascript": "js mjs cjs jsx",
    "typescript": "ts mts cts",
    "tsx": "tsx",
    "json": "json jsonl ipynb webmanifest",
    "yaml": "yaml yml",
    "toml": "toml",
    "ini": "ini cfg conf desktop service",
    "html": "html htm xhtml",
    "css": "css",
    "scss": "scss",
    "xml": "xml svg xsl plist ui qrc",
    "markdown": "md markdown",
    "rst": "rst",
    "tex": "tex sty",
    "bash": "sh bash",
    "zsh": "zsh",
    "fish": "fish",
    "powershell": "ps1 psm1",
    "batch": "bat cmd",
    "c": "c h",
    "cpp": "cc cpp cxx hh hpp hxx",
    "csharp": "cs",
    "java": "java",
    "kotlin": "kt kts",
    "swift": "swift",
    "go": "go",
    "rust": "rs",
    "ruby": "rb",
    "php": "php",
    "perl": "pl pm",
    "lua": "lua",
    "r": "r",
    "sql": "sql",
    "scala": "scala",
    "haskell": "hs",
    "elixir": "ex exs",
    "erlang": "erl",
    "dart": "dart",
    "zig": "zig",
    "vue": "vue",
    "diff": "diff patch",
    "cmake": "cmake",
    "make": "mk",
    "nix": "nix",
    "graphql": "graphql gql",
    "protobuf": "proto",
}
_BY_ENDING = {ending: alias for alias, endings in _ENDINGS.items() for ending in endings.split()}


def language_of(name: str) -> str:
    """Return the pygments alias for a file of that name, "" where it is plain or unknown."""
    lowered = name.lower()
    return _NAMES.get(lowered) or _BY_ENDING.get(lowered.rpartition(".")[2] if "." in lowered else "", "")
