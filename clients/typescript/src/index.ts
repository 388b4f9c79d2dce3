/** Play card games on a Wintercount server: `Client` above `models` and `operations`, generated from the API's document. */

export { Client, type FeedQuery, type Opening, type Seat, type Settings } from "./client.js";
export type * as models from "./generated/types.gen.js";
export * as operations from "./generated/sdk.gen.js";
export { LegalMoves, type Move } from "./moves.js";
export { NoAnswer, Problem, StreamEnded } from "./problems.js";
export { Table, Turn } from "./table.js";
