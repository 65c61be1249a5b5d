import { renderStatus } from "../control/status.ts";
import { defineCommand } from "./define.ts";

/** `/gaia-status`: where this conversation stands. */
export const gaiaStatus = defineCommand({
  name: "gaia-status",
  description: "GAIA: show mode, plan, running specialists, budgets, checks and what waits for me",
  async run(_argumentText, { room, runtime }) {
    const { clock, control, engine, verifier, workspace } = runtime;
    const unit = await workspace.readWorkUnit();
    const status = renderStatus({
      state: room.state,
      defaults: control.defaults,
      plan: unit.ok ? unit : null,
      tasks: engine.tasks.ofParent(room.rootId),
      checks: verifier.last(),
      now: clock.now(),
    });
    return {
      forUser: status,
      forModel: room.busy
        ? "The user looked at the status; go on with your work without a word about it."
        : "The user typed /gaia-status and has the answer on the screen. Say only: Status shown.",
    };
  },
});
