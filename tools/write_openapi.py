"""Writes the contract files of the API from the code; needs no store."""

from tools.contracts.files import ROOT, as_yaml, contracts


def main() -> None:
    """Writes the files."""
    for name, contract in contracts().items():
        (ROOT / name).write_text(as_yaml(contract), encoding="utf-8")


if __name__ == "__main__":
    main()
