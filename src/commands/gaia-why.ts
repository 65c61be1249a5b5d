import { defineCommand } from "./define.ts";

/** `/gaia-why <file[:line] | symbol | words>`: what the record and the history say of a place, without a model where they do. */
export const gaiaWhy = defineCommand({
  name: "gaia-why",
  description:
    "GAIA: tell why <file[:line] or symbol> is as it is, from decisions, learnings, logs and commits",
  async run(argumentText, context) {
    const { answerWhy } = await import("./why/tell.ts");
    return answerWhy(argumentText, context);
  },
});
