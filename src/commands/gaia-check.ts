import type { CommandRun } from "./define.ts";

const ACCEPTED = "The checks count as they are now.";

/** `/gaia-check [scope] [force|accept]`: the project's own checks, run in the host; no model reads their output (SPEC 11). */
export const gaiaCheck: CommandRun = async (argumentText, { conversation, runtime: { host } }) => {
  const { checks } = conversation.parts;
  const words = argumentText.trim().split(/\s+/);
  if (words.includes("accept")) {
    await checks.acceptChecks(conversation.state.workUnit);
    return { forUser: ACCEPTED, forModel: "The user lets the changed checks count. Go on." };
  }
  const scope = words.filter((word) => word !== "force").join(" ");
  const isAtWork = conversation.busy;
  // The command's own turn is about to begin, and the result must not come between.
  conversation.busy = true;
  const isStarted = checks.runForUser(scope === "" ? undefined : scope, words.includes("force"));
  await host.toast("info", isStarted ? "The checks run." : "The checks are running already.");
  return {
    forUser: isStarted ? "The checks run; their result comes here." : "The checks are running already.",
    forModel: isAtWork
      ? "The user runs the checks; go on with your work without a word about it."
      : "The plugin runs the checks and shows the result to the user. Call no tool and say only: Checks are running.",
  };
};
