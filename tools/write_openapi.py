"""Generates `openapi.yaml` and `asyncapi.yaml` from the code; needs no store."""

from tools.contracts.openapi import ASYNCAPI, OPENAPI, as_yaml, document
from tools.contracts.streams import asyncapi


def main() -> None:
    """Writes the documents."""
    made = document()
    OPENAPI.write_text(as_yaml(made), encoding="utf-8")
    ASYNCAPI.write_text(as_yaml(asyncapi(made)), encoding="utf-8")


if __name__ == "__main__":
    main()
