import type { CommandRun } from "./define.ts";

/** `/talk <specialist>`: the user speaks with a specialist in a session of its own, until `/back`. */
export const talk: CommandRun = async (argumentText, context) =>
  (await import("./talks/talk-with.ts")).talkWith(argumentText.trim(), context);

/** `/back`: GAIA is told what came of it. */
export const back: CommandRun = async (_argumentText, context) =>
  (await import("./talks/go-back.ts")).goBack(context);
