import type { Host } from "../../host/port.ts";
import type { Clock } from "../../lib/clock.ts";
import { describeError } from "../../lib/error.ts";

/** Changes that come within this time are written together, in milliseconds; also the least time between two writes. */
const DELAY_MS = 300;
/** How long to wait before a write that failed is tried again, in milliseconds; the last one repeats, up to the bound. */
const RETRY_MS = [1_000, 5_000, 15_000, 60_000];
const MAX_RETRIES = 30;

/** Keeps some keys of a session's metadata as they are true in this process (SPEC 2.3). */
export interface Mirror {
  /** Something may have changed: it is looked at soon, and written if it has. */
  touch(): void;
  /** Writes all of it again, because somebody else has written the session's metadata. */
  renew(): void;
  dispose(): void;
}

/**
 * One write at a time, so that a slow OpenCode is not sent a second one while it works on the first. What could not be written
 * is tried again until it is: after a restart only what was written is known, and a lock must be among it.
 * @param read the keys and their values; null for a session that is gone
 * @param passing names of fields that change all the time, and are no reason to write
 */
export function createMirror(
  host: Host,
  clock: Clock,
  sessionId: string,
  read: () => Readonly<Record<string, unknown>> | null,
  passing: ReadonlySet<string>,
): Mirror {
  let written = "";
  let cancel: (() => void) | null = null;
  let isWriting = false;
  let isDisposed = false;
  let failures = 0;
  let isRetry = false;

  const write = async (): Promise<void> => {
    isWriting = true;
    try {
      const values = read();
      const text = JSON.stringify(values, (key, value: unknown) => (passing.has(key) ? undefined : value));
      if (values === null || text === written) return;
      written = text;
      await host.sessions.setMetadata(sessionId, values);
      failures = 0;
    } catch (error) {
      written = "";
      host.logger.log("warn", "mirror", `The snapshot was not written: ${describeError(error)}`, {
        sessionId,
      });
      retry();
    } finally {
      isWriting = false;
    }
  };
  const retry = (): void => {
    failures += 1;
    if (failures > MAX_RETRIES || cancel !== null) return;
    schedule(RETRY_MS[failures - 1] ?? RETRY_MS.at(-1));
    isRetry = true;
  };
  const schedule = (delay = DELAY_MS): void => {
    // What is new does not wait as long as what failed.
    if (isRetry) cancel?.();
    if (isDisposed || (cancel !== null && !isRetry)) return;
    isRetry = false;
    cancel = clock.after(delay, () => {
      cancel = null;
      isRetry = false;
      if (isWriting) schedule();
      else void write();
    });
  };

  return {
    touch() {
      schedule();
    },
    renew() {
      written = "";
      schedule();
    },
    dispose() {
      isDisposed = true;
      cancel?.();
    },
  };
}
