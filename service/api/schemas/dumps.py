"""Dumps and the keys that sign them."""

from marshmallow import Schema, fields

from service.api.schemas.parts import moment


class ManifestSchema(Schema):
    """What a month's dump holds, signed by the service."""

    month = fields.String(required=True, metadata={"example": "2026-10"})
    file = fields.String(required=True)
    size = fields.Integer(required=True, metadata={"description": "of the file, in bytes"})
    sha256 = fields.String(required=True, metadata={"description": "of the file, in hexadecimal"})
    unpacked_size = fields.Integer(required=True)
    tables = fields.Integer(required=True)
    games = fields.Dict(
        keys=fields.String(), values=fields.Integer(), required=True, metadata={"description": "tables by game"}
    )
    left_out = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        metadata={"description": "public tables that it has not, by reason"},
    )
    made_at = moment()
    key = fields.String(required=True, metadata={"description": "the public key: `x` of one of the web keys"})
    signature = fields.String(required=True, metadata={"description": "Ed25519, of the manifest without this field"})
    format = fields.String(required=True)
    format_version = fields.Integer(required=True)


class DumpSchema(ManifestSchema):
    """A month's dump: its manifest, and where it is found. The signature is over the manifest alone."""

    url = fields.String(required=True, metadata={"description": "the path of the file"})
    manifest_url = fields.String(required=True, metadata={"description": "the path of the manifest as it was signed"})


class DumpsSchema(Schema):
    """All dumps, the newest month first."""

    files = fields.List(fields.Nested(DumpSchema), required=True)


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
