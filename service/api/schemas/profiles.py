"""Profiles, quotas, and the export of what is kept of a person."""

from marshmallow import Schema, fields, validate

from service.api.schemas.analyses import AskedAnalysisSchema
from service.api.schemas.moderation import ReportSchema
from service.api.schemas.opening import InvitationSchema
from service.api.schemas.parts import STATUSES, VISIBILITIES, PageQuery, game_name, moment, one_of
from service.api.schemas.played import RatingSchema
from service.api.schemas.players import BlockSchema, NoticeSchema, PasskeySchema, RecoveryCodesSchema, UsedTokenSchema
from service.api.schemas.transcripts import TranscriptSchema
from service.api.strict import QueryWhole, Truth


class ShownRequest(Schema):
    """Which parts of the profile everybody may see."""

    results = Truth(required=True, metadata={"description": "games played and won, by game"})
    ratings = Truth(required=True)
    opponents = Truth(required=True, metadata={"description": "with whom, and who won"})
    activity = Truth(required=True, metadata={"description": "games by month"})


class ShownSchema(Schema):
    """Which parts of the profile everybody may see."""

    results = fields.Boolean(required=True)
    ratings = fields.Boolean(required=True)
    opponents = fields.Boolean(required=True)
    activity = fields.Boolean(required=True)


class ResultSchema(Schema):
    """How often somebody has played a game with so many seats, and won."""

    game = game_name()
    seats = fields.Integer(required=True)
    games = fields.Integer(required=True)
    won = fields.Integer(required=True)


class OpponentSchema(Schema):
    """A player, or a level of AI: how often they met, and how often either won."""

    player = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)
    games = fields.Integer(required=True)
    won = fields.Integer(required=True)
    lost = fields.Integer(required=True)


class MonthSchema(Schema):
    """The games that ended in a month of UTC."""

    month = fields.String(required=True, metadata={"example": "2026-11"})
    games = fields.Integer(required=True)


class QuotaSchema(Schema):
    """How much of something an account has, and how much it may have at once."""

    quota = fields.String(required=True)
    used = fields.Integer(required=True)
    most = fields.Integer(required=True)


class QuotasSchema(Schema):
    """All quotas of an account."""

    quotas = fields.List(fields.Nested(QuotaSchema), required=True)


def shown(schema: type[Schema]) -> fields.List:
    """A part that is null where its person does not let it be seen."""
    return fields.List(fields.Nested(schema), required=True, allow_none=True)


class ProfileSchema(Schema):
    """A player, as far as the person lets it be seen: a part that is null is not shown.

    Counted are the public games that ended last, 5000 at most.
    """

    player = fields.String(required=True)
    name = fields.String(required=True)
    bot = fields.Boolean(required=True)
    since = fields.String(required=True, metadata={"format": "date"})
    results = shown(ResultSchema)
    ratings = shown(RatingSchema)
    opponents = shown(OpponentSchema)
    activity = shown(MonthSchema)


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
