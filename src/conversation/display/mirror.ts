import type { Host } from "../../host/port.ts";
import { bounded, type Clock } from "../../lib/async.ts";
import { describeError } from "../../lib/error.ts";
import { redactDeep } from "../../lib/redaction.ts";
import { terminalText } from "../../lib/text.ts";
import { PANEL_KEY } from "./metadata-keys.ts";

/** Changes that come within this time are written together, in milliseconds. */
const DELAY_MS = 20;
/** The least time between two writes that nobody waits for, in milliseconds. */
const GAP_MS = 300;
/** How long to wait before a write that failed is tried again, in milliseconds; the last one repeats, up to the bound. */
const RETRY_MS = [1_000, 5_000, 15_000, 60_000];
const MAX_RETRIES = 30;
/** How long a turn is held up for a write that does not come to its end, in milliseconds. */
const MAX_HOLD_MS = 1_000;

/** Changes all the time, and is no reason to write; a seal changes with what it is of. */
const PASSING = /"activeMs":[^,}]+|"seal":"\w+"/g;

/**
 * One write at a time, so that a slow OpenCode is not sent a second one while it works on the first. What could not be written
 * is tried again until it is: after a restart only what was written is known, and a lock must be among it.
 * @param read the keys and their values; null for a session that is gone @param look at what is there, before it is written over
 */
export function createMirror(
  host: Host,
  clock: Clock,
  sessionId: string,
  read: () => Readonly<Record<string, unknown>> | null,
  look: () => Promise<void>,
  writes: (values: Readonly<Record<string, unknown>>) => void,
) {
  let written = "";
  let cancel: (() => void) | null = null;
  /** When the next look is, as long as one is planned. */
  let due = 0;
  let wroteAt = Number.NEGATIVE_INFINITY;
  let isDisposed = false;
  let failures = 0;
  /** The write that is on its way, and the one behind it, which takes in all that changes until it begins. */
  let writing: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;

  // A function for each value would take five times as long, and this is done all the time.
  const textOf = (values: object | null): string => JSON.stringify(values).replaceAll(PASSING, "");
  const write = (): Promise<void> => {
    next ??= writing.then(async () => {
      next = null;
      cancel?.();
      cancel = null;
      writing = send();
      return writing;
    });
    return next;
  };
  const send = async (): Promise<void> => {
    try {
      if (textOf(read()) === written) return;
      await look();
      const values = read();
      if (values === null) return;
      written = textOf(values);
      wroteAt = clock.now();
      writes(values);
      const panel = redactDeep(values[PANEL_KEY], terminalText);
      await host.sessions.setMetadata(sessionId, { ...values, [PANEL_KEY]: panel });
      failures = 0;
    } catch (error) {
      written = "";
      const why = `The snapshot was not written: ${describeError(error)}`;
      host.logger.log("warn", "mirror", why, { sessionId });
      failures += 1;
      // What is new waits for its own time only.
      if (failures <= MAX_RETRIES && cancel === null) schedule(RETRY_MS[failures - 1] ?? RETRY_MS.at(-1));
    }
  };
  /** What is new does not wait as long as what failed. */
  const schedule = (delay = Math.max(DELAY_MS, wroteAt + GAP_MS - clock.now())): void => {
    const at = clock.now() + delay;
    if (isDisposed || (cancel !== null && due <= at)) return;
    cancel?.();
    due = at;
    cancel = clock.after(delay, () => {
      cancel = null;
      void write();
    });
  };

  return {
    /** Something may have changed: it is looked at soon, and written if it has. */
    touch: (): void => schedule(),
    /** Resolves when all that changed is written, within a second: awaited before anyone is told that it is so. */
    async settled(): Promise<void> {
      const last = cancel === null ? (next ?? writing) : write();
      await bounded(last, MAX_HOLD_MS, clock, "session.update").catch(() => undefined);
    },
    /** Writes all of it again, because someone else has written the session's metadata. */
    renew(): void {
      written = "";
      schedule();
    },
    dispose(): void {
      isDisposed = true;
      cancel?.();
      cancel = null;
    },
  };
}
