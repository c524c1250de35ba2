"""Run Caveat as `python -m caveat`."""

from caveat.cli import main

if __name__ == "__main__":
    main()
