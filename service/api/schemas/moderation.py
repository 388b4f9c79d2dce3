"""Reports, the queue of operators, and what they do."""

from marshmallow import fields, validate

from service.api.request_parsing import QueryWhole, Whole
from service.api.schemas.parts import ID, Text, choice, limit, one_of, schema, words
from service.moderation.actions import ACTIONS, ALL_REASONS, LONGEST, REASONS

ITEM = validate.Regexp(r"^[A-Za-z0-9_/-]{1,130}\Z")
SETTLED = "the number of the action that settled it; null: it waits"
KINDS = ("report", "dispute")


ReportRequest = schema(
    "ReportRequest",
    "A report: of a `player`, also at a `table`; of a `table`; or of what its event of a `version` holds. Such "
    "an event holds a name, or a text: a claim, a comment or a verdict in a dispute.",
)(
    player=Text(load_default=None, validate=ID, metadata={"example": "p_k2mdqv7yjr4wt"}),
    table=Text(load_default=None, validate=ID),
    version=Whole(load_default=None, validate=validate.Range(1)),
    reason=choice(REASONS, required=True),
    text=words(LONGEST, "what happened; operators alone read it", least=0, load_default=""),
)

ReportSchema = schema("Report", "A report, as its author sees it.", "id by? at player? table? version?")(
    reason=fields.String(required=True, allow_none=True, validate=validate.OneOf((*REASONS, None))),
    text=(str | None, "null: one of its players was erased"),
    settled_by=(int | None, SETTLED),
)

ItemSchema = schema(
    "Item",
    "An item of the queue: a report, or an open dispute at a table without an arbiter (`TABLE/DISPUTE`).",
    ReportSchema,
)(kind=one_of(KINDS), quoted=(str | None, "the name or text in the event of `version`, as it is shown now"))

QueueQuery = schema("QueueQuery", "Which part of the queue.")(
    status=choice(("waiting", "all"), "what waits, or `all` reports", load_default="waiting"),
    cursor=QueryWhole("`next` of the page before", load_default=0),
    limit=limit("reports a page"),
)

QueueSchema = schema("Queue", "The queue: on the first page all disputes, and on each some reports, the oldest first.")(
    items=[ItemSchema], next=int | None
)

ActionRequest = schema(
    "ActionRequest",
    "What to do. `warn`, `hide_name` and `suspend` name a player, who sees reason and text; `dismiss` names "
    "items. `reverse` names an action, and reverses it; its items wait again.",
)(
    action=choice(ACTIONS, required=True),
    reason=choice(ALL_REASONS, required=True),
    player=Text(load_default=None, validate=ID),
    items=fields.List(Text(validate=ITEM), load_default=list, validate=validate.Length(0, 100)),
    text=words(LONGEST, "shown to the player", least=0, load_default=""),
    reverses=Whole(load_default=None, validate=validate.Range(1)),
)

ActionSchema = schema("Action", "An action of an operator.", "at player? text?")(
    id=(int, "its number"),
    type=one_of(ACTIONS.values()),
    reason=one_of(ALL_REASONS),
    items=[str],
    reverses=int | None,
    stands=(bool, "false: another action has reversed it"),
)

ActionsQuery = schema("ActionsQuery", "Which actions.")(
    player=Text("those about this player alone", validate=ID),
    cursor=QueryWhole("`next` of the page before", load_default=0),
    limit=limit("actions a page"),
)

ActionsSchema = schema("Actions", "Actions, the first one first.")(actions=[ActionSchema], next=int | None)
