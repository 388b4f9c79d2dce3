"""What the service keeps of a person."""

from marshmallow import Schema, fields, validate

from service.api.schemas.analyses import AskedAnalysisSchema
from service.api.schemas.blocks import BlockSchema
from service.api.schemas.identities import PasskeySchema, RecoveryCodesSchema
from service.api.schemas.invitations import InvitationSchema
from service.api.schemas.moderation import ReportSchema
from service.api.schemas.paging import PageQuery
from service.api.schemas.parts import STATUSES, VISIBILITIES, game_name, moment, one_of
from service.api.schemas.players import NoticeSchema, UsedTokenSchema
from service.api.schemas.profiles import ShownSchema
from service.api.schemas.transcripts import TranscriptSchema
from service.api.strict import QueryWhole


class ExportQuery(PageQuery):
    """Which part of the tables."""

    limit = QueryWhole(
        load_default=20, validate=validate.Range(1, 50), metadata={"description": "tables a page, at most"}
    )


class AccountSchema(Schema):
    """An account as it is kept."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    bot = fields.Boolean(required=True)
    at = moment()


class KeptWebhookSchema(Schema):
    """Where a bot wants to be told that it is its turn."""

    webhook = fields.String(required=True)
    url = fields.String(required=True)
    at = moment()


class WrittenSchema(Schema):
    """What a person is called or wrote in an event."""

    version = fields.Integer(required=True)
    type = fields.String(required=True)
    at = moment()
    text = fields.String(required=True, allow_none=True)


class PersonalTableSchema(Schema):
    """What a table's record holds of a person."""

    table = fields.String(required=True)
    game = game_name()
    status = one_of(STATUSES)
    visibility = one_of(VISIBILITIES)
    opened_at = moment()
    seats = fields.List(fields.Integer(), required=True)
    texts = fields.List(fields.Nested(WrittenSchema), required=True)
    archive = fields.String(required=True, metadata={"description": "where all moves are"})


class ExportSchema(Schema):
    """All that the service keeps of a person; `next` is the cursor of the next page of tables."""

    account = fields.Nested(AccountSchema, required=True)
    tokens = fields.List(fields.Nested(UsedTokenSchema), required=True)
    passkeys = fields.List(fields.Nested(PasskeySchema), required=True)
    recovery_codes = fields.Nested(RecoveryCodesSchema, required=True)
    shown = fields.Nested(ShownSchema, required=True)
    invitations = fields.List(fields.Nested(InvitationSchema), required=True)
    blocks = fields.List(fields.Nested(BlockSchema), required=True)
    webhook = fields.Nested(KeptWebhookSchema, required=True, allow_none=True)
    transcripts = fields.List(fields.Nested(TranscriptSchema), required=True)
    analyses = fields.List(
        fields.Nested(AskedAnalysisSchema),
        required=True,
        metadata={"description": "those that the person asked for and that are not done"},
    )
    reports = fields.List(fields.Nested(ReportSchema), required=True, metadata={"description": "those by the person"})
    notices = fields.List(fields.Nested(NoticeSchema), required=True)
    tables = fields.List(fields.Nested(PersonalTableSchema), required=True)
    next = fields.String(required=True, allow_none=True)
