import { renderStatus } from "../control/status.ts";
import { defineCommand } from "./define.ts";

/** `/gaia-status`: where this conversation stands. */
export const gaiaStatus = defineCommand({
  name: "gaia-status",
  description: "GAIA: show mode, wave, budgets and what waits for me",
  run(_argumentText, { room, runtime }) {
    return {
      forUser: renderStatus(room.state, runtime.control.defaults),
      forModel: room.busy
        ? "The user looked at the status; go on with your work without a word about it."
        : "The user typed /gaia-status and has the answer on the screen. Say only: Status shown.",
    };
  },
});
