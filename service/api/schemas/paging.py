"""Lists of tables are told page by page: where a page begins, and how much it holds."""

from marshmallow import Schema, fields, validate

from service.api.strict import QueryWhole


class PageQuery(Schema):
    """Which part of a list of tables."""

    cursor = fields.String(
        validate=validate.Regexp(r"^[0-9]{15}\|[a-z0-9_]{1,40}\Z"),
        metadata={"description": "`next` of the page before"},
    )
    limit = QueryWhole(
        load_default=50, validate=validate.Range(1, 200), metadata={"description": "tables a page, at most"}
    )
