import { defineCommand } from "./define.ts";

/** `/gaia-status`: where this conversation stands. */
export const gaiaStatus = defineCommand({
  name: "gaia-status",
  description: "GAIA: show mode, plan, running specialists, budgets, checks and what waits for me",
  async run(_argumentText, { conversation, runtime }) {
    const { renderWhole } = await import("./status/whole.ts");
    return {
      forUser: await renderWhole(conversation, runtime),
      forModel: conversation.busy
        ? "The user looked at the status; go on with your work without a word about it."
        : "The user typed /gaia-status and has the answer on the screen. Say only: Status shown.",
    };
  },
});
