import { textOf } from "../../../src/lib/json.ts";
import type { Session } from "../opencode/world.ts";
import type { SeenCall } from "./oracle.ts";

/** What the schedules' projects are configured to: requests of a task, turns of GAIA's for a message, turns in a row. */
export const BOUNDS = { task: 12, gaia: 25, turns: 4 };
/** Requests that may go out beyond a bound: one that was on its way, and the repair of a contract. */
const BEYOND = 2;

/** Counts requests to models, and turns that the plugin begins. */
export function createRequestCount(report: (what: string) => void) {
  const requests = new Map<string, number>();
  const turns = new Map<string, number>();
  const resumed = new Map<string, number>();
  const add = (counts: Map<string, number>, id: string): number => {
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count;
  };

  return {
    called({ tool, args }: SeenCall) {
      if (tool === "delegate_gaia") add(resumed, textOf(args["session_id"]) ?? "");
    },
    requested({ id, parentId, agent }: Session) {
      const count = add(requests, id);
      const tasks = 1 + (resumed.get(id) ?? 0);
      const most = parentId === null ? BOUNDS.gaia + BEYOND : (BOUNDS.task + BEYOND) * tasks;
      if (count > most) report(`${agent ?? "gaia"} goes on beyond its bound of requests`);
    },
    /** A word of the user's: a message, or the answer to a question. */
    spoken({ id }: Session) {
      turns.delete(id);
      requests.delete(id);
    },
    /** The plugin begins a turn. */
    begun({ id }: Session) {
      if (add(turns, id) > BOUNDS.turns) report("more turns in a row began by themselves than are allowed");
    },
  };
}
