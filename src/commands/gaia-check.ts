import { defineCommand } from "./define.ts";

/** `/gaia-check [scope]`: the project's own checks, run in the host; no model reads their output (SPEC 11). */
export const gaiaCheck = defineCommand({
  name: "gaia-check",
  description: "GAIA: run the Definition of Done now and show me the result; [doc] for documents only",
  async run(argumentText, { conversation, runtime: { host } }) {
    const scope = argumentText.trim();
    const isAtWork = conversation.busy;
    // The command's own turn is about to begin, and the result must not come between.
    conversation.busy = true;
    const isStarted = conversation.parts.checks.runForUser(scope === "" ? undefined : scope);
    await host.toast("info", isStarted ? "The checks run." : "The checks are running already.");
    return {
      forUser: isStarted ? "The checks run; their result comes here." : "The checks are running already.",
      forModel: isAtWork
        ? "The user runs the checks; go on with your work without a word about it."
        : "The plugin runs the checks and shows the result to the user. Call no tool and say only: Checks are running.",
    };
  },
});
