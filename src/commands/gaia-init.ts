import { findCommitHook } from "../checks/commit-hook/commit-hook.ts";
import { describeLost } from "../checks/commit-hook/lost.ts";
import { failureForPerson } from "../lib/for-person.ts";
import { nameOf } from "../agents/registry.ts";
import type { CommandRun } from "./define.ts";
import { prepareSetup, SETUP_HEADER } from "./setup/registry.ts";

/**
 * `/gaia-init`: creates the project's curated context, has the user decide what the plugin proposes, and lets GAIA fill
 * the rest together with them (SPEC 10).
 */
export const gaiaInit: CommandRun = async (argumentText, { conversation, runtime }) => {
  const { host, workspace, clock } = runtime;
  const file = await workspace.createGaiaInit();
  if (!file.ok) {
    await host.toast("error", failureForPerson(file));
    return { forModel: `Tell the user in one line: ${failureForPerson(file)}` };
  }
  await host.toast("success", `${file.path} ${file.created ? "was created" : "is there; it is kept"}.`);
  const lost = describeLost(await findCommitHook(host.project, clock));
  if (lost !== null) await host.toast("warning", `${lost.what} ${lost.fix}`);
  // `opencode run` has nobody to ask, and nothing is decided without an answer.
  const canAsk = await conversation.canAsk();
  const offer = canAsk ? await prepareSetup(runtime) : null;
  if (offer !== null) conversation.parts.offers.put(offer);
  const ask =
    offer === null
      ? ""
      : `First call question with header "${SETUP_HEADER}" (the plugin fills in the rest, and does what is chosen). `;
  const tell = lost === null ? "" : ` Tell the user: ${lost.what} ${lost.fix}`;
  const about = argumentText.trim() === "" ? "" : ` The user adds: ${argumentText.trim()}`;
  return {
    forModel:
      `${file.path} ${file.created ? "was just created from its template" : "exists"}. ${ask}Read it, look at the project, then ` +
      "ask the user with the question tool, at most four questions, what belongs under its headings and is not there yet. " +
      `Delegate to ${nameOf("historian")} to write what the user said under the existing headings: short, true lines; lines of the user stay.` +
      tell +
      about,
  };
};
