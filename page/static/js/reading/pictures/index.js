// The pictures of the rules pages, made of the same cards and tiles as the tables.

import { el } from "../../dom.js";
import { BIG_MANITOU, MANITOU } from "./hunting.js";
import { PLENTY_COUPS } from "./plenty-coups.js";
import { TOMAHAWK } from "./tomahawk.js";

const PICTURES = { "big-manitou": BIG_MANITOU, manitou: MANITOU, tomahawk: TOMAHAWK, "plenty-coups": PLENTY_COUPS };

/** What draws the pictures of a game: by a picture's name and what it shows, in words. */
export const pictures = (game) => (name, caption) => PICTURES[game]?.[name]?.(caption) ?? el("p", {}, caption);
