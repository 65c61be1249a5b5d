import type { Host } from "../../host/port.ts";
import type { Clock } from "../../lib/clock.ts";
import { describeError } from "../../lib/error.ts";

/** Changes that come within this time are written together, in milliseconds; also the least time between two writes. */
const DELAY_MS = 300;

/** Keeps some keys of a session's metadata as they are true in this process (SPEC 2.3). */
export interface Mirror {
  /** Something may have changed: it is looked at soon, and written if it has. */
  touch(): void;
  /** Writes all of it again, because somebody else has written the session's metadata. */
  renew(): void;
  dispose(): void;
}

/**
 * One write at a time, so that a slow OpenCode is not sent a second one while it works on the first.
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

  const write = async (): Promise<void> => {
    isWriting = true;
    try {
      const values = read();
      const text = JSON.stringify(values, (key, value: unknown) => (passing.has(key) ? undefined : value));
      if (values === null || text === written) return;
      written = text;
      await host.sessions.setMetadata(sessionId, values);
    } catch (error) {
      written = "";
      host.logger.log("warn", "mirror", `The snapshot was not written: ${describeError(error)}`, {
        sessionId,
      });
    } finally {
      isWriting = false;
    }
  };
  const schedule = (): void => {
    if (isDisposed || cancel !== null) return;
    cancel = clock.after(DELAY_MS, () => {
      cancel = null;
      if (isWriting) schedule();
      else void write();
    });
  };

  return {
    touch: schedule,
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
