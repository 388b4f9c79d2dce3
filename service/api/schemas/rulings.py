"""Rulings: those of a table, and a game's register of rulings and cases."""

from marshmallow import fields

from service.api.schemas.parts import any_json, moment, schema

RuleOptionSchema = schema(
    "RuleOption", "A house rule that a ruling allows: what is in force, and what a table may choose.", "option"
)(in_force=any_json(), values=fields.List(any_json(), required=True))

AppliedRuleSchema = schema("AppliedRule", "A rule that was applied.", "id title")(
    text=(str, "Markdown"),
    options=[RuleOptionSchema],
)

RulingSchema = schema("Ruling", "A ruling: its figures, its reason in words, its rules.")(
    version=(int, "the version of the event that is the ruling"),
    type=(str, "the type of that event"),
    at=moment("when it was recorded"),
    figures=(dict, "the event's payload"),
    words=(str, "the reason, in a sentence"),
    rules=([AppliedRuleSchema], "the rules that were applied; a dispute names one of them"),
    undone=(bool, "whether play was taken back to before it, so that it can no longer be disputed"),
)

RulingsSchema = schema("Rulings", "The rulings of a table, in order.", "version")(rulings=[RulingSchema])


HOUSE_RULES = dict, "house rules by name; defaults are left out"


ActSchema = schema("Act", "A seat's move.", "seat")(move=any_json("as in a request"))

GivenSchema = schema(
    "Given", "A moment of a game. What is drawn lies in its order, but for what `luck` puts first.", "players"
)(
    options=HOUSE_RULES,
    luck=(dict, "by kind of draw: what comes first in one after the other"),
    state=(dict, "what is otherwise than when the game began, by JSON Pointer into the game's state"),
    moves=([ActSchema], "taken from there on"),
)

HappenedSchema = schema("Happened", "An event with the fields that matter.", "type")(
    payload=dict,
    readers=(dict | None, "who alone may read which field, if that matters"),
)

SeenSchema = schema(
    "Seen", "What a seat sees afterwards at a place of its view; without `value`, it must not see that place."
)(seat=(int | None, "null: a spectator"), place=(str, "a JSON Pointer"), value=any_json("what is there"))

OutcomeSchema = schema(
    "Outcome",
    "What follows under these house rules: the rule that refuses the move, or events. Of the types of events "
    "that are named these are all that happen; of those in `without` none does.",
    "says refused?",
)(options=HOUSE_RULES, events=[HappenedSchema], without=([str], "types of events"), seen=[SeenSchema])

CaseDisputeSchema = schema("CaseDispute", "The dispute that a case comes from.", "by")(
    version=(int, "of the ruling, at its table"),
    outcome=str,
)

CaseSchema = schema("Case", "A case that is played whenever the service is tested.", "id title")(
    dispute=CaseDisputeSchema | None,
    given=GivenSchema,
    when=(ActSchema | None, "null: the game begins"),
    then=[OutcomeSchema],
)

TakesSchema = schema("Takes", "What follows in a case.", "title says")(case=str)

MatteredSchema = schema(
    "Mattered", "How often a reading would have mattered in public games that were played by another one."
)(
    games=(int, "decided again"),
    differ=(int, "of these, with a decision that differs"),
    winners=(int, "of these, with other winners, as far as the recorded moves tell"),
    cut_off=(int, "in which a rule refuses a later move, so that nobody can tell"),
)

ChoiceSchema = schema("Choice", "A value of a house rule, and what follows from it in each case.", "option")(
    value=any_json("of the house rule"),
    default=(bool, "whether it is the usual default"),
    takes=[TakesSchema],
    mattered=MatteredSchema | None,
)

RegisteredRulingSchema = schema(
    "RegisteredRuling",
    "A ruling: what was unclear, what holds by default and why, what a table may choose. Or another rule, disputed.",
    "id",
)(
    question=(str, "Markdown"),
    default=(str, "Markdown"),
    alternatives=(str, "Markdown; may be empty"),
    choices=[ChoiceSchema],
    cases=[CaseSchema],
)

RegisterSchema = schema("Register", "The register of rulings of a game.", "game")(
    rulings=[RegisteredRulingSchema],
    counted_at=moment("when it was counted how often readings would have mattered; null: it was not", allow_none=True),
)

TellingSchema = schema(
    "Telling",
    "What happened: in a sentence, and of a decision how it came about and the rules applied.",
    "type words rules",
)(explanation=str | None)

MomentSchema = schema(
    "Moment",
    "A moment of a case: the move that led to it (null: how it begins), what happened, and the whole table then.",
    "seat?",
)(
    move=any_json("as in a request, or null"),
    words=(str | None, "the move, in words"),
    happened=[TellingSchema],
    view=(dict, "with everything laid open"),
)

ShownOutcomeSchema = schema(
    "ShownOutcome",
    "A reading of a case as it is played; `refused` is the rule that forbids the last move.",
    "says refused?",
)(options=HOUSE_RULES, moments=[MomentSchema])

ShownCaseSchema = schema("ShownCase", "A case as people watch it.", "id title rule")(
    game=str, outcomes=[ShownOutcomeSchema]
)
