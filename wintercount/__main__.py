"""The command `wintercount`: makes sure that its packages are its own, then runs the command line."""

import sys

from wintercount.packages import PackagesMixed, check


def main() -> None:
    """Runs the command line; says what to do and ends with 1 if the packages are not its own."""
    try:
        check()
    except PackagesMixed as error:
        sys.exit(f"Error: {error}")
    from service.runtime.cli import main as command_line

    command_line(prog_name="wintercount")


if __name__ == "__main__":
    main()
