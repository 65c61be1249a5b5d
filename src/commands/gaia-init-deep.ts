import { type CommandRun, refuseCommand } from "./define.ts";

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
  const { prepareDeepInit } = await import("./init-deep/offer.ts");
  const offer = await prepareDeepInit(runtime, argumentText.trim());
  if (typeof offer === "string") return refuseCommand(host, "written", offer);
  conversation.parts.offers.put({
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
