"""Dumps and the keys that sign them."""

from marshmallow import Schema, fields


class DumpSchema(Schema):
    """The dump of a month, and where its files are found."""

    month = fields.String(required=True, metadata={"example": "2026-10"})
    file = fields.String(required=True, metadata={"description": "the name of the file of tables"})
    size = fields.Integer(required=True, metadata={"description": "of that file, in bytes"})
    tables_url = fields.String(required=True, metadata={"description": "the path of that file: `tar`, by Zstandard"})
    sums_url = fields.String(required=True, metadata={"description": "the path of its SHA-256, for `sha256sum -c`"})
    signature_url = fields.String(
        required=True, metadata={"description": "the path of the Ed25519 signature of the file with the SHA-256"}
    )


class DumpsSchema(Schema):
    """All dumps, the newest month first."""

    months = fields.List(fields.Nested(DumpSchema), required=True)


class WebKeySchema(Schema):
    """A public key (RFC 8037)."""

    kty = fields.String(required=True)
    crv = fields.String(required=True)
    x = fields.String(required=True)
    kid = fields.String(required=True, metadata={"description": "its thumbprint (RFC 7638)"})
    alg = fields.String(required=True)
    use = fields.String(required=True)


class WebKeysSchema(Schema):
    """The public keys under which the service signs, the newest first."""

    keys = fields.List(fields.Nested(WebKeySchema), required=True)
