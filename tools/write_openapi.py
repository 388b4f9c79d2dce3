"""Generates `openapi.yaml` and `asyncapi.yaml` from the code; needs no store."""

from service.api.document.openapi import ASYNCAPI, OPENAPI, as_yaml
from service.api.document.streams import asyncapi
from service.app import document


def main() -> None:
    """Writes the documents."""
    made = document()
    OPENAPI.write_text(as_yaml(made), encoding="utf-8")
    ASYNCAPI.write_text(as_yaml(asyncapi(made)), encoding="utf-8")


if __name__ == "__main__":
    main()
