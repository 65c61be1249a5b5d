import { defineCommand } from "./define.ts";

/** `/talk <specialist>`: the user speaks with a specialist in a session of its own, until `/back`. */
export const talk = defineCommand({
  name: "talk",
  description: "GAIA: speak with <specialist> yourself; /back returns",
  async run(argumentText, context) {
    return (await import("./talks/talk-with.ts")).talkWith(argumentText.trim(), context);
  },
});

/** `/back`: GAIA is told what came of it. */
export const back = defineCommand({
  name: "back",
  description: "GAIA: back from /talk, with what was agreed and changed",
  async run(_argumentText, context) {
    return (await import("./talks/go-back.ts")).goBack(context);
  },
});
