/**
 * The lock is one file, the baton, that is never created twice and only ever renamed. Its name tells who holds it.
 * Renaming from an exact name succeeds for one process only, so neither taking a free baton nor taking over the one of a
 * dead process can have two winners.
 */
export interface Holder {
  readonly pid: number;
  /** Tells machines and containers apart, whose process ids say nothing about each other. */
  readonly host: string;
  /** Epoch milliseconds of the last sign of life. */
  readonly renewedAt: number;
  /** Tells two holders in one process apart. */
  readonly nonce: string;
}

/** The baton's name while nobody holds it. */
export const FREE_BATON = "free";

/** A holder that gave no sign of life for this long is taken to be gone, even if its process id is in use. */
export const STALE_AFTER_MS = 15_000;

/** The baton's name while `holder` has it. */
export function renderBaton(holder: Holder): string {
  return `held-${holder.pid}-${holder.host}-${holder.renewedAt}-${holder.nonce}`;
}

/** The holder that a baton's name tells, or null for any other name. */
export function parseBaton(name: string): Holder | null {
  const found = /^held-(\d{1,10})-([0-9a-f]+)-(\d{1,16})-([0-9a-f]+)$/.exec(name);
  if (found === null) return null;
  const [, pid = "", host = "", renewedAt = "", nonce = ""] = found;
  return { pid: Number(pid), host, renewedAt: Number(renewedAt), nonce };
}

/**
 * Whether a holder is gone: its process is dead, or it gave no sign of life. A time in the future counts as none, since
 * the clock was turned.
 * @param isAlive asked only about processes of this host
 */
export function isStale(
  holder: Holder,
  here: string,
  now: number,
  isAlive: (pid: number) => boolean,
): boolean {
  if (Math.abs(now - holder.renewedAt) > STALE_AFTER_MS) return true;
  return holder.host === here && !isAlive(holder.pid);
}
