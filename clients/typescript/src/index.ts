/** Tables of Wintercount: `Client` above `models` and `operations`, which are generated from the API. */

export { Client, type FeedAsked, type Opening, type Seat, type Settings } from "./client.js";
export type * as models from "./generated/types.gen.js";
export * as operations from "./generated/sdk.gen.js";
export { NoAnswer, NoDecision, Problem, StreamEnded } from "./problems.js";
export { type Move, type OpenDecision, type Seen, Table } from "./table.js";
