"""Profiles, quotas, and the export of what is kept of a person."""

from marshmallow import Schema, fields

from service.api.request_parsing import Truth
from service.api.schemas.analyses import AskedAnalysisSchema
from service.api.schemas.finished_games import RatingSchema
from service.api.schemas.moderation import ReportSchema
from service.api.schemas.opening import InvitationSchema
from service.api.schemas.parts import PageQuery, limit, schema
from service.api.schemas.players import BlockSchema, NoticeSchema, PasskeySchema, RecoveryCodesSchema, UsedTokenSchema
from service.api.schemas.transcripts import TranscriptSchema

ShownRequest = schema("ShownRequest", "Which parts of the profile everybody may see.")(
    results=Truth("games played and won, by game", required=True),
    ratings=Truth(required=True),
    opponents=Truth("opponents and winners", required=True),
    activity=Truth("games by month", required=True),
)

ShownSchema = schema("Shown", "Which parts of the profile everybody may see.")(
    results=bool, ratings=bool, opponents=bool, activity=bool
)

ResultSchema = schema(
    "Result", "How many games with so many seats a player has played and won.", "game seats games won"
)()

OpponentSchema = schema(
    "Opponent", "A player, or a level of AI: how often they met, and how often either won.", "player name? games won"
)(lost=int)

MonthSchema = schema("Month", "The games that ended in a month of UTC.", "games")(
    month=fields.String(required=True, metadata={"example": "2026-11"})
)

QuotaSchema = schema("Quota", "How much of something an account has, and how much it may have at once.", "name")(
    used=int, most=int
)
QuotasSchema = schema("Quotas", "All quotas of an account.")(quotas=[QuotaSchema])


def shown(schema: type[Schema]) -> fields.List:
    """A part that is null where its person does not let it be seen."""
    return fields.List(fields.Nested(schema), required=True, allow_none=True)


ProfileSchema = schema(
    "Profile",
    "A player as far as their profile is public; a part that is null is not public. Counted are the public "
    "games that ended last, 5000 at most.",
    "id name bot",
)(
    since=fields.String(required=True, metadata={"format": "date"}),
    results=shown(ResultSchema),
    ratings=shown(RatingSchema),
    opponents=shown(OpponentSchema),
    activity=shown(MonthSchema),
)

ExportQuery = schema("ExportQuery", "Which part of the tables.", PageQuery)(
    limit=limit("tables a page, at most", 20, 50)
)

AccountSchema = schema("Account", "An account as it is stored.", "id name bot at")()
KeptWebhookSchema = schema("KeptWebhook", "The address that is notified when a bot has to decide.", "id url at")()
WrittenSchema = schema("Written", "What a person is called or wrote in an event.", "version type at text?")()

PersonalTableSchema = schema(
    "PersonalTable", "What a table's record holds of a person.", "table game status visibility opened_at"
)(seats=[int], texts=[WrittenSchema], archive=(str, "where all moves are"))

ExportSchema = schema(
    "Export", "All that the service keeps of a person; `next` is the cursor of the next page of tables.", "next?"
)(
    account=AccountSchema,
    tokens=[UsedTokenSchema],
    passkeys=[PasskeySchema],
    recovery_codes=RecoveryCodesSchema,
    shown=ShownSchema,
    invitations=[InvitationSchema],
    blocks=[BlockSchema],
    webhook=KeptWebhookSchema | None,
    transcripts=[TranscriptSchema],
    analyses=([AskedAnalysisSchema], "those that the person asked for and that are not done"),
    reports=([ReportSchema], "those by the person"),
    notices=[NoticeSchema],
    tables=[PersonalTableSchema],
)
