import type { CommandRun } from "./define.ts";

/** `/gaia-why <file[:line] | symbol | words>`: what the record and the history say of a place, without a model where they do. */
export const gaiaWhy: CommandRun = async (argumentText, context) => {
  const { answerWhy } = await import("./why/tell.ts");
  return answerWhy(argumentText, context);
};
