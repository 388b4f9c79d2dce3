"""The command `wintercount`: makes sure that its packages are its own, then runs the command line.

Nothing is imported before `main` that takes time: Ctrl-C ends the command without a word then too.
"""

import signal
import sys


def main() -> None:
    """Runs the command line; says what to do and ends with 1 if the packages are not its own."""
    interrupt = signal.getsignal(signal.SIGINT)
    if interrupt is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # until there is a command line that ends with 130
    from wintercount.installation_check import PackagesMixed, check

    try:
        check()
    except PackagesMixed as error:
        sys.exit(f"Error: {error}")
    from wintercount.cli.main import main as command_line

    signal.signal(signal.SIGINT, interrupt)
    command_line(prog_name="wintercount")


if __name__ == "__main__":
    main()
