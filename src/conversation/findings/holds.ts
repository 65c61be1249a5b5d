import { isProcessAlive } from "../../lib/is-process-alive.ts";
import { isSameId, stateOf } from "../../record/documents/finding.ts";
import type { FindingHold } from "../../record/operations/findings.ts";
import { HOST_TAG } from "../../record/store/atomic-file.ts";
import type { ConversationCore } from "../core.ts";
import type { ConversationServices } from "../services.ts";

/** How old the last sign of work on a finding may be, in milliseconds. */
const SIGN_MS = 60_000;
/** Without a sign of work for so long, its holder has left a finding, in milliseconds. */
const LEFT_AFTER_MS = 24 * 3_600_000;

/** The finding that a conversation works on, with the state that was written of it last. */
export interface Begun {
  readonly id: string;
  readonly state: string;
  /** The work unit that was begun for it: with that it ends. */
  readonly unit: string | null;
}

/** Who works on findings, in this and other processes of the checkout: what nobody goes on with is given back. */
export function createHolds(
  { rootId, outbox }: Pick<ConversationCore, "rootId" | "outbox">,
  { workspace, host, clock }: Pick<ConversationServices, "workspace" | "host" | "clock">,
) {
  const sign = (unit: string | null) => ({
    session: rootId,
    unit,
    pid: process.pid,
    host: HOST_TAG,
    at: clock.now(),
  });
  /** @returns the state of a finding on which nobody works; null while someone may */
  const leftState = async ({ session, unit, pid, host: on, at }: FindingHold): Promise<string | null> => {
    const isHere = on === HOST_TAG;
    // Another process may have sessions that are not known in this one.
    const isDeleted = isHere && pid === process.pid && (await host.sessions.get(session)) === null;
    const isIdle = Math.abs(clock.now() - at) > LEFT_AFTER_MS;
    const why = isDeleted
      ? "its session was deleted"
      : isHere && !isProcessAlive(pid)
        ? "the OpenCode that worked on it has ended"
        : session === rootId
          ? "its session went on to other work"
          : isIdle
            ? "nobody has gone on with it for a day"
            : "";
    if (why === "") return null;
    // What was begun and may be half done waits for a person.
    if (unit !== null) return `blocked: ${why}; its work unit is ${unit}`;
    return isIdle ? `blocked: ${why}` : `open: ${why}`;
  };

  return {
    /** Writes a state with this conversation as the one that works on it; without a unit given, with nobody. */
    write: async ({
      unit,
      ...change
    }: Pick<Parameters<typeof workspace.stateFinding>[0], "id" | "was" | "state"> & {
      readonly unit?: string | null;
    }) => workspace.stateFinding({ ...change, hold: unit === undefined ? null : sign(unit) }),
    /**
     * Gives a sign of work on what was begun, and gives back what nobody works on. What a person wrote stays.
     * @returns what this conversation works on now; null where that is nothing, or someone else has it
     */
    async tidy(begun: Begun | null): Promise<Begun | null> {
      const read = await workspace.findingHolds();
      if (!read.ok || read.holds.size === 0) return begun;
      let now = begun;
      const rows = await workspace.readFindings();
      for (const { id, state: was } of rows.ok ? rows.findings : []) {
        const hold = read.holds.get(id.toLowerCase());
        if (hold === undefined) continue;
        const change = { id, was, judged: hold };
        if (begun !== null && isSameId(begun.id, id)) {
          const isFresh = hold.pid === process.pid && clock.now() - hold.at < SIGN_MS;
          if (hold.session !== rootId) now = null;
          else if (was === hold.state && (!isFresh || hold.unit !== begun.unit))
            await workspace.stateFinding({ ...change, state: was, hold: sign(begun.unit) });
          continue;
        }
        const isUnderWay = was === hold.state && stateOf({ state: was }) === "started";
        const state = isUnderWay ? await leftState(hold) : was;
        if (state === null) continue;
        const written = await workspace.stateFinding({ ...change, state, hold: null });
        if (written.ok && written.changed && state !== was) outbox.note(`Finding ${id}: ${state}`);
      }
      return now;
    },
  };
}
