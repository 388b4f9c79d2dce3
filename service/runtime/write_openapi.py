"""Generates `openapi.yaml` from the code; needs no store."""

from service.api.document.openapi import OPENAPI, as_yaml
from service.runtime.app import create_app


def main() -> None:
    """Writes the document."""
    OPENAPI.write_text(as_yaml(create_app().extensions["openapi"]), encoding="utf-8")


if __name__ == "__main__":
    main()
