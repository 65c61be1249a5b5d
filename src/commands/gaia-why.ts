import { excerpt } from "../lib/excerpt.ts";
import { defineCommand, refuseCommand } from "./define.ts";

/** `/gaia-why <file[:line] | symbol | words>`: what the record and the history say of a place, without a model where they do. */
export const gaiaWhy = defineCommand({
  name: "gaia-why",
  description:
    "GAIA: tell why <file[:line] or symbol> is as it is, from decisions, learnings, logs and commits",
  async run(argumentText, { runtime: { host, memory, vcs } }) {
    const asked = argumentText.trim();
    if (asked === "")
      return refuseCommand(host, "looked up", "/gaia-why needs a file, a file:line or a symbol.");
    const { tellWhy } = await import("../memory/why.ts");
    const found = await tellWhy({ recall: memory.recall, vcs, directory: host.directory }, asked);
    const what = JSON.stringify(excerpt(asked, 200));
    if (found === null)
      return {
        forModel: `The user typed /gaia-why ${what}. Nothing was found in the record and the history. Look at the code yourself, answer in a few sentences with path:line, and say what is only inferred. Change nothing.`,
      };
    return {
      forUser: memory.redact(found),
      forModel: `The user typed /gaia-why ${what} and has the answer on the screen. Say only: Shown.`,
    };
  },
});
