"""Run Caveat as `caveat` or `python -m caveat`."""

from __future__ import annotations

import os
import sys

from caveat.options import read_plain


def main() -> None:
    """Run the command line and exit with its code: a plain `check` without click, everything else with it.

    A fault in Caveat ends with code 2 like all that keeps it from its job; code 1 says that there are findings.
    """
    options = read_plain(sys.argv[1:], os.environ)
    try:
        if options is None:
            from caveat.cli import main as command_line

            command_line(prog_name="caveat")
        else:
            from caveat.command import run_check

            sys.exit(run_check(options))
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception:  # noqa: BLE001 - it is said in full, and ends with the right code
        import traceback

        traceback.print_exc()
        sys.stderr.write("error: this is a fault in Caveat; please report it with the lines above\n")
        sys.exit(2)


if __name__ == "__main__":
    main()
