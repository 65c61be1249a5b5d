import { agentName } from "../agents/registry.ts";
import { failureForPerson } from "../lib/for-person.ts";
import { type CommandRun, refuseCommand } from "./define.ts";
import { prepareSetup, SETUP_HEADER } from "./setup.ts";

/** `/gaia-init`: creates the curated context, has the user decide on proposals, and lets GAIA fill the rest (SPEC 10). */
export const gaiaInit: CommandRun = async (argumentText, { conversation, runtime }) => {
  const { host, workspace } = runtime;
  const file = await workspace.createGaiaInit();
  if (!file.ok) {
    await host.toast("error", failureForPerson(file));
    return { forModel: `Tell the user in one line: ${failureForPerson(file)}` };
  }
  await host.toast("success", `${file.path} ${file.created ? "was created" : "is there; it is kept"}.`);
  // `opencode run` has nobody to ask, and nothing is decided without an answer.
  const canAsk = await conversation.canAsk();
  const offer = canAsk ? await prepareSetup(runtime) : null;
  if (offer !== null) conversation.parts.questions.put(offer);
  const ask =
    offer === null
      ? ""
      : `First call question with header "${SETUP_HEADER}" (the plugin fills in the rest, and does what is chosen). `;
  const about = argumentText.trim() === "" ? "" : ` The user adds: ${argumentText.trim()}`;
  return {
    forModel:
      `${file.path} ${file.created ? "was just created from its template" : "exists"}. ${ask}Read it, look at the project, then ` +
      "ask the user with the question tool, at most four questions, what belongs under its headings and is not there yet. " +
      `Delegate to ${agentName("historian")} to write what the user said under the existing headings: short, true lines; lines of the user stay.` +
      about,
  };
};

/** `/gaia-init-deep [folder]`: writes what the code does not show into AGENTS.md files that the user picks. */
export const gaiaInitDeep: CommandRun = async (argumentText, { conversation, runtime }) => {
  const { host } = runtime;
  if (conversation.state.knobs.mode === "locked")
    return refuseCommand(host, "written", "The session is locked.");
  if ((await conversation.canAsk()) !== true)
    return refuseCommand(
      host,
      "written",
      "Which files are written is picked in a dialog, and nobody is there.",
    );
  const { prepareDeepInit } = await import("./init-deep.ts");
  const offer = await prepareDeepInit(runtime, argumentText.trim());
  if (typeof offer === "string") return refuseCommand(host, "written", offer);
  conversation.parts.questions.put({
    ...offer,
    // The user may lock the session while the dialog is open.
    settle: async (answers) =>
      conversation.state.knobs.mode === "locked"
        ? "Nothing was written: the session is locked."
        : offer.settle(answers),
  });
  return {
    forModel: `Call question with header "${offer.header}" (the plugin fills in the rest, and writes what is chosen). Then say in one line what was done.`,
  };
};
