import type { Host, HostEvent } from "../host/port.ts";
import { bounded } from "../lib/bounded.ts";
import type { Clock } from "../lib/clock.ts";
import { deferred } from "../lib/deferred.ts";
import { describeError } from "../lib/error.ts";

/** How long OpenCode may take to end a loop whose answer has been taken; snapshots of large trees take seconds. */
const LIMIT_MS = 60_000;

/**
 * The moment between a child's last word and the end of its loop, in which OpenCode makes its snapshot of the files. The
 * answer is taken before; the session is busy until it is over, and nothing else may begin in it.
 */
export type WindDown = ReturnType<typeof createWindDown>;

export function createWindDown(host: Host, clock: Clock) {
  const open = new Map<string, { readonly over: Promise<void>; end: () => void }>();

  return {
    /**
     * @param loop settles when OpenCode has ended the loop
     * @returns resolves when it is over, at the latest after a minute
     */
    async begin(sessionId: string, loop: Promise<unknown>): Promise<void> {
      const { promise: idle, resolve: end } = deferred();
      const over = bounded(Promise.race([loop, idle]), LIMIT_MS, clock, "the end of a child's loop").then(
        () => undefined,
        (error: unknown) => {
          host.logger.log("warn", "wind-down", describeError(error), { sessionId });
        },
      );
      open.set(sessionId, { over, end });
      await over;
      open.delete(sessionId);
    },
    async over(sessionId: string): Promise<void> {
      await open.get(sessionId)?.over;
    },
    /** Aborts a loop that goes on although its answer has been taken. @returns whether there was one */
    async abort(sessionId: string): Promise<boolean> {
      if (!open.has(sessionId)) return false;
      await host.sessions.abort(sessionId);
      return true;
    },
    observe(event: HostEvent): void {
      if (event.type === "session.status" && event.status === "idle") open.get(event.sessionId)?.end();
    },
    dispose(): void {
      for (const { end } of open.values()) end();
    },
  };
}
