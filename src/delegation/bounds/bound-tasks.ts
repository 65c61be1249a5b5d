import type { Host } from "../../host/port.ts";
import { describeError } from "../../lib/error.ts";
import type { DelegationEngine } from "../engine.ts";
import { createBounds, type Bounds, type BoundsInput } from "./bounds.ts";

/** What the bounds of one instance need beside its tasks. */
export interface BoundTasksInput extends Pick<BoundsInput, "limitsOf" | "turnsInARow" | "spent"> {
  /** Whom of our agents a session's newest message went to; null for anyone else. */
  speakerOf(sessionId: string): string | null;
}

/** The bounds of all sessions, with the engine's tasks under them. */
export function boundTasks(
  engine: DelegationEngine,
  host: Pick<Host, "sessions" | "logger">,
  { speakerOf, ...rest }: BoundTasksInput,
): Bounds {
  const bounds = createBounds({
    ...rest,
    agentOf: (sessionId) => engine.tasks.openIn(sessionId)?.agent ?? speakerOf(sessionId),
    cut: engine.cut,
    abort(sessionId) {
      host.sessions.abort(sessionId).catch((error: unknown) => {
        host.logger.log("warn", "bounds", describeError(error), { sessionId });
      });
    },
  });
  engine.tasks.subscribe(bounds.taskChanged);
  return bounds;
}
