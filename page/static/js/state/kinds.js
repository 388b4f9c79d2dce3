// Kinds of events as people look at them.

const QUIET = /(Drawn|Shuffled|Reshuffled|Refilled|Assigned|Dealt|Revealed|Closed)$/;
const TOLD = new Set(["CardsRevealed", "TerritoryRevealed", "MostWantedRevealed"]);
const OF_SEATS = /^Seat(Taken|Left|HandedOver|Resigned)$/;

/** Draws, shuffles and the like: nothing that anybody chose, and little to see. */
export const isQuiet = ({ type }) => QUIET.test(type) && !TOLD.has(type);

/** Whether the event is about a place at the table rather than about who sits there. */
export const isAboutSeats = ({ type }) => OF_SEATS.test(type);
