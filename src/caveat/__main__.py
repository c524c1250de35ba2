"""Run Caveat as `caveat` or `python -m caveat`."""

from __future__ import annotations

import gc
import os
import sys
from typing import NoReturn

# A run makes many objects and few circles of them: looking for circles less often saves a tenth of a short run.
gc.set_threshold(100_000)

from caveat.options import read_plain  # noqa: E402 - after the line above


def main() -> int:
    """Run the command line and return the exit code: a plain `check` without click, everything else with it.

    A fault in Caveat ends with code 2 like all that keeps it from its job; code 1 says that there are findings.
    """
    options = read_plain(sys.argv[1:], os.environ)
    try:
        if options is None:
            from caveat.cli import main as command_line

            command_line(prog_name="caveat")
            return 0
        from caveat.command import run_check

        return run_check(options)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except KeyboardInterrupt:
        return 130
    except Exception:  # noqa: BLE001 - it is said in full, and ends with the right code
        import traceback

        traceback.print_exc()
        sys.stderr.write("error: this is a fault in Caveat; please report it with the lines above\n")
        return 2


def _stand_in_for_closed() -> None:
    """Open what stands for a stream that was closed before the process began, for which Python has None.

    In place of standard input and output it is open the other way round, so that using it is an error of reading or
    writing; what is said on standard error goes nowhere.
    """
    for name, ways, mode in (("stdin", os.O_WRONLY, "r"), ("stdout", os.O_RDONLY, "w"), ("stderr", os.O_WRONLY, "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.open(os.devnull, ways), mode, encoding="utf-8"))  # noqa: SIM115 - till the end


def console() -> NoReturn:
    """Run the command line and end the process at once: taking apart what was loaded takes longer than checking."""
    _stand_in_for_closed()
    code = main()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            code = 2
    os._exit(code)


if __name__ == "__main__":
    console()
