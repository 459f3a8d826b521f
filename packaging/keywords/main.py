"""`./dev keywords TOOL` proposes aliases; `./dev keywords --train` makes the layer. Build time only."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Python starts with -P. The folder `packaging` is no package: the well-known one of that name is needed.
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]


def main(arguments: list[str]) -> int:
    """Do what was asked; 2 for wrong use."""
    parser = argparse.ArgumentParser(prog="./dev keywords", description=__doc__)
    parser.add_argument("tool", nargs="?", help="propose aliases for this tool and show what would change")
    parser.add_argument("--train", action="store_true", help="train the layer, write it to resources")
    parser.add_argument("--cache", type=Path, default=ROOT / "build" / "words.npz", help=argparse.SUPPRESS)
    parser.add_argument("--wheel", type=Path, help="the package of the sentence model as a file")
    options = parser.parse_args(arguments)
    if options.train:
        from keywords.train import train

        return train(options.cache, options.wheel)
    if not options.tool:
        parser.print_usage(sys.stderr)
        return 2
    from keywords.propose import propose

    return propose(options.tool)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
