import { isProcessAlive } from "../../lib/is-process-alive.ts";
import { isSameId, stateOf } from "../../record/documents.ts";
import type { FindingHold } from "../../record/workspace.ts";
import { HOST_TAG } from "../../record/store.ts";
import type { ConversationCore } from "../core.ts";
import type { ConversationServices } from "../services.ts";

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
  { workspace, host }: Pick<ConversationServices, "workspace" | "host">,
) {
  const sign = (unit: string | null) => ({
    session: rootId,
    unit,
    pid: process.pid,
    host: HOST_TAG,
  });
  /** @returns why nobody works on it; null while someone may */
  const whyNobody = async ({ session, pid, host: on }: FindingHold): Promise<string | null> => {
    if (session === rootId) return "its session went on to other work";
    // Processes of another machine, and sessions of another process, are not known here.
    if (on !== HOST_TAG) return null;
    if (!isProcessAlive(pid)) return "the OpenCode that worked on it has ended";
    const isDeleted = pid === process.pid && (await host.sessions.get(session)) === null;
    return isDeleted ? "its session was deleted" : null;
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
     * @param endOf how a work unit ended, as the state of its finding; empty while it is under way
     * @returns what this conversation works on now; null where that is nothing, or someone else has it
     */
    async tidy(begun: Begun | null, endOf: (unit: string) => Promise<string>): Promise<Begun | null> {
      const read = await workspace.findingHolds();
      if (!read.ok || read.holds.size === 0) return begun;
      let now = begun;
      const rows = await workspace.readFindings();
      for (const { id, state: was } of rows.ok ? rows.findings : []) {
        const hold = read.holds.get(id.toLowerCase());
        if (hold === undefined) continue;
        const change = { id, was, judged: hold };
        if (begun !== null && isSameId(begun.id, id)) {
          const isOurs = hold.pid === process.pid && hold.unit === begun.unit;
          if (hold.session !== rootId) now = null;
          else if (was === hold.state && !isOurs)
            await workspace.stateFinding({ ...change, state: was, hold: sign(begun.unit) });
          continue;
        }
        const isUnderWay = was === hold.state && stateOf({ state: was }) === "started";
        const why = isUnderWay ? await whyNobody(hold) : "";
        if (why === null) continue;
        const end = isUnderWay && hold.unit !== null ? await endOf(hold.unit) : "";
        // What was begun and may be half done waits for a person.
        const unfinished =
          hold.unit === null ? `open: ${why}` : `blocked: ${why}; its work unit is ${hold.unit}`;
        const left = end || unfinished;
        const state = isUnderWay ? left : was;
        const written = await workspace.stateFinding({ ...change, state, hold: null });
        if (written.ok && written.changed && state !== was) outbox.note(`Finding ${id}: ${state}`);
      }
      return now;
    },
  };
}
