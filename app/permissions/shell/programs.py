"""What programs are known to do, as data: who starts others, who evaluates text, who talks to a network.

Names are base names. A list that is too long asks too often; one that is too short is held by the sandbox and
by the rule that only words which a rule names are allowed at all.
"""

from __future__ import annotations

import re

WRAPPERS = frozenset(
    {
        "timeout", "nice", "nohup", "setsid", "stdbuf", "ionice", "chrt", "taskset", "env", "sudo", "doas",
        "su", "pkexec", "runuser", "xargs", "parallel", "time", "watch", "strace", "ltrace", "gdb", "perf",
        "valgrind", "unshare", "nsenter", "chroot", "flock", "script", "busybox", "toybox", "systemd-run",
        "systemd-inhibit", "systemd-nspawn", "dbus-run-session", "xvfb-run", "firejail", "bwrap", "proot",
        "fakeroot", "rlwrap", "setpriv", "start-stop-daemon", "torsocks", "proxychains",
        "proxychains4", "catchsegv", "linux32", "linux64", "setarch", "numactl", "cgexec", "command",
        "builtin", "exec", "noglob", "ssh-agent", "entr", "caffeinate", "gtimeout", "genv", "gnice",
        "gxargs", "chronic", "ifne", "tmux", "screen", "dtach", "at", "batch", "expect",
        "unbuffer", "faketime", "cpulimit", "prlimit", "newgrp", "sg", "capsh", "dumb-init", "tini", "gosu",
        "su-exec", "runcon", "sandbox-exec", "direnv", "hyperfine", "multitime", "op", "aws-vault",
        "dotenv", "envdir", "softlimit", "setuidgid", "chpst", "runsv", "tsocks", "trickle", "eatmydata",
        "ld.so", "pipx", "npx", "bunx", "uvx", "pnpx",
    }
)  # fmt: skip
"""Programs that run the words behind their options."""
SHELLS = frozenset(
    {
        "sh", "bash", "rbash", "dash", "ash", "zsh", "ksh", "mksh", "lksh", "yash", "fish", "csh", "tcsh",
        "elvish", "nu", "xonsh",
    }
)  # fmt: skip
OTHER_SHELLS = frozenset(
    ["powershell", "pwsh", "cmd", "command.com", "wsl", "cscript", "wscript", "mshta", "rundll32"]
)
EVALUATORS = frozenset(
    [
        "eval",
        "enable",
        "source",
        ".",
        "trap",
        "mapfile",
        "readarray",
        "fc",
        "bind",
        "complete",
        "compgen",
        "jobs",
    ]
)
"""Built in; they run a text or a file as shell."""
SHELL_STATE = frozenset(
    {
        "alias", "unalias", "shopt", "set", "hash", "declare", "typeset", "local", "readonly",
        "export", "unset", "read", "getopts", "let", "compopt", "history", "fg", "bg", "disown", "logout",
        "suspend", "caller", "pushd", "popd",
    }
)  # fmt: skip
"""Built in; after them the same words can mean something else."""
CODE_LETTERS = {
    "python": "c", "pypy": "c", "node": "epr", "nodejs": "epr", "deno": "", "bun": "ep", "perl": "eEM",
    "ruby": "er", "php": "rRBEF", "lua": "el", "luajit": "el", "Rscript": "e", "R": "e", "osascript": "e",
    "tclsh": "", "wish": "", "guile": "ce", "ghc": "e", "groovy": "e", "scala": "e", "julia": "eE",
    "elixir": "e", "erl": "", "swift": "e", "racket": "e", "raku": "e", "sbcl": "", "emacs": "", "gdb": "",
    "lldb": "", "octave": "", "irb": "e", "ocaml": "e", "nix-shell": "p", "jshell": "",
}  # fmt: skip
"""Interpreters, and the short options that bring code."""
CODE_OPTIONS = (
    "--eval", "--print", "--run", "--command", "--execute", "--code", "--process", "--expr", "--require",
    "--import", "--loader",
)  # fmt: skip
PROGRAM_TEXT = frozenset(
    {
        "awk", "gawk", "mawk", "nawk", "ed", "ex", "vi", "vim", "nvim", "view", "emacs", "less", "more",
        "most", "man", "pg", "nano",
    }
)  # fmt: skip
"""Their text is a program, or they offer a shell."""
NETWORK = frozenset(
    {
        "curl", "wget", "http", "https", "xh", "aria2c", "lynx", "w3m", "links", "elinks", "nc", "ncat",
        "netcat", "socat", "telnet", "ftp", "tftp", "sftp", "scp", "rsync", "ssh", "mosh", "autossh",
        "sshfs", "rclone", "gh", "glab", "hub", "mail", "mailx", "sendmail", "mutt", "neomutt", "msmtp",
        "swaks", "fetchmail", "mbsync", "yt-dlp", "youtube-dl", "docker", "podman", "nerdctl", "kubectl",
        "helm", "aws", "gcloud", "az", "terraform", "ansible", "ansible-playbook", "s3cmd", "mc", "restic",
        "borg", "duplicity", "dig", "nslookup", "host", "ping", "ping6", "traceroute", "whois", "nmap",
        "openssl", "gpg", "telegram-cli", "signal-cli", "notify-send", "xdg-open", "open", "irssi",
        "weechat", "ngrok", "cloudflared",
    }
)  # fmt: skip
"""Programs that talk to other computers, or to a server that does."""
NETWORK_COMMANDS = {
    "git": "push fetch pull clone remote ls-remote submodule send-email archive request-pull",
    "npm": "install i ci add publish update exec audit view info login",
    "pnpm": "install i add publish update dlx", "yarn": "install add publish up dlx",
    "pip": "install download search index", "pip3": "install download index",
    "uv": "pip sync add publish tool run", "poetry": "install add update publish",
    "cargo": "install publish fetch update search add", "go": "get install mod",
    "gem": "install push update", "bundle": "install update", "composer": "install update require",
    "apt": "install update upgrade", "apt-get": "install update upgrade source", "dnf": "install update",
    "brew": "install update upgrade", "conda": "install update create", "svn": "update commit checkout",
    "hg": "push pull clone", "nix": "build run shell",
}  # fmt: skip
"""Sub-commands that do; another program of the list is none."""
_VERSIONED = re.compile(
    r"(python|pypy|perl|ruby|lua|php|node|g?awk|ld-linux[\w.-]*|tclsh|wish|guile)[-\d.]*\Z"
)


def base(word: str) -> str:
    """Return the base name of a program word, without version and `.exe`."""
    name = word.replace("\\", "/").rsplit("/", 1)[-1]
    name = name[:-4] if name.lower().endswith(".exe") else name
    if found := _VERSIONED.match(name):
        return found[1]
    return name


def is_network(words: tuple[str, ...]) -> bool:
    """Whether a command is known to talk to other computers."""
    name = base(words[0]) if words else ""
    if name in NETWORK:
        return True
    commands = NETWORK_COMMANDS.get(name)
    return commands is not None and not set(commands.split()).isdisjoint(words[1:])
