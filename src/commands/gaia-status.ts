import type { CommandRun } from "./define.ts";
import { renderWhole } from "./status/whole.ts";

/** `/gaia-status`: where this conversation stands. */
export const gaiaStatus: CommandRun = async (_argumentText, { conversation, runtime }) => ({
  forUser: await renderWhole(conversation, runtime),
  forModel: conversation.busy
    ? "The user looked at the status; go on with your work without a word about it."
    : "The user typed /gaia-status and has the answer on the screen. Say only: Status shown.",
});
