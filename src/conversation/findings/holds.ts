import { isProcessAlive } from "../../lib/is-process-alive.ts";
import { isSameId, type FindingState } from "../../record/documents/finding.ts";
import type { FindingHold } from "../../record/operations/findings.ts";
import { HOST_TAG } from "../../record/store/atomic-file.ts";
import type { ConversationCore } from "../core.ts";
import type { EvidencePart } from "../evidence/evidence.ts";
import type { ConversationServices } from "../services.ts";
import { leftState, whyLeft } from "./decide-left.ts";
import { endOfUnit } from "./unit-end.ts";

/** How old the last sign of work on a finding may be, in milliseconds. */
const SIGN_MS = 60_000;
const OTHER_WORK = "its session went on to other work";

/** The finding that a conversation works on, with the state that was written of it last. */
export interface Begun {
  readonly id: string;
  readonly state: string;
  /** The work unit that was begun for it: with that it ends. */
  readonly unit: string | null;
}

interface Change {
  readonly id: string;
  readonly was: string | readonly FindingState[];
  readonly state: string;
  readonly judged?: FindingHold;
}

/**
 * Who works on findings, in this and other processes of the checkout: what a conversation began and nobody goes on with is given
 * back, and what became of its work unit is written, no matter who brought that to its end. What a person wrote stays.
 */
export function createHolds(
  conversation: Pick<ConversationCore, "rootId" | "state" | "outbox">,
  { workspace, host, clock }: Pick<ConversationServices, "workspace" | "host" | "clock">,
  evidence: Pick<EvidencePart, "standing" | "isAccepted">,
) {
  const { rootId } = conversation;
  const sign = (unit: string | null) => ({
    session: rootId,
    unit,
    pid: process.pid,
    host: HOST_TAG,
    at: clock.now(),
    isLeft: false,
  });
  /** Writes a state with this conversation as the one that works on it; without a unit given, with nobody. */
  const write = async ({ unit, ...change }: Change & { readonly unit?: string | null }) =>
    workspace.stateFinding({ ...change, hold: unit === undefined ? null : sign(unit) });
  const read = async () => {
    const read = await workspace.findingHolds();
    return read.ok ? read.holds : new Map<string, FindingHold>();
  };

  /** @returns why nobody works on it; null while someone may */
  const whyNobody = async (hold: FindingHold): Promise<string | null> => {
    const isHere = hold.host === HOST_TAG;
    // Another process may have sessions that are not known in this one.
    const isOwn = isHere && hold.pid === process.pid;
    return whyLeft({
      hold,
      isAlive: isHere ? isProcessAlive(hold.pid) : null,
      isDeleted: isOwn && (await host.sessions.get(hold.session)) === null,
      now: clock.now(),
    });
  };
  /** @returns null where there is no such unit, or none */
  const endOf = async (unit: string | null): Promise<string | null> => {
    if (unit === null) return null;
    const end = await endOfUnit(workspace, evidence, unit);
    return end === "" && !(await workspace.readWorkUnit({ slug: unit })).ok ? null : end;
  };

  return {
    write,
    /**
     * A sign of work on what was begun, which is started again where it was given back meanwhile.
     * @returns what is begun now; null where someone else has it
     */
    async goOn(begun: Begun): Promise<Begun | null> {
      const { id, unit } = begun;
      const hold = (await read()).get(id.toLowerCase());
      if (hold === undefined) return begun;
      if (hold.session !== rootId) return null;
      const isFresh = hold.pid === process.pid && hold.unit === unit && clock.now() - hold.at < SIGN_MS;
      if (isFresh && !hold.isLeft) return begun;
      const state = hold.isLeft ? "started" : hold.state;
      const written = await write({ id, was: hold.state, state, unit, judged: hold });
      return written.ok && written.changed ? { id, unit, state } : begun;
    },
    /**
     * Gives back what nobody works on.
     * @param begun what this conversation works on; without it, it goes on with one whose work unit is its own
     * @returns the one that it goes on with
     */
    async tidy(begun: Begun | null): Promise<Begun | null> {
      const isOurs = (id: string): boolean => begun !== null && isSameId(begun.id, id);
      const held = [...(await read())].filter(([id]) => !isOurs(id));
      if (held.length === 0) return null;
      const rows = await workspace.readFindings();
      if (!rows.ok) return null;
      for (const [key, hold] of held) {
        const row = rows.findings.find((finding) => isSameId(finding.id, key));
        if (row === undefined) continue;
        const { id, state: was } = row;
        if (was !== hold.state) {
          // A person has written something else: what they write later is theirs too.
          await write({ id, was, state: was, judged: hold });
          continue;
        }
        const why = hold.session === rootId ? OTHER_WORK : await whyNobody(hold);
        if (why === null) continue;
        const { unit } = hold;
        const end = await endOf(unit);
        if (begun === null && end === "" && unit === conversation.state.workUnit) {
          const state = hold.isLeft ? "started" : was;
          const taken = await write({ id, was, state, unit, judged: hold });
          if (taken.ok && taken.changed) return { id, state, unit };
          continue;
        }
        const state = leftState(hold, why, end);
        if (state === null) continue;
        const left = state === end ? null : { ...hold, isLeft: true };
        const written = await workspace.stateFinding({ id, was, state, hold: left, judged: hold });
        if (written.ok && written.changed && state !== was)
          conversation.outbox.note(`Finding ${id}: ${state}`);
      }
      return null;
    },
  };
}
