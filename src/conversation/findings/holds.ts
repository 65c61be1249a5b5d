import { isProcessAlive } from "../../lib/is-process-alive.ts";
import { parsePlan } from "../../plan/grammar.ts";
import { isSameId, stateOf, type FindingState } from "../../record/documents/finding.ts";
import type { FindingHold } from "../../record/operations/findings.ts";
import { HOST_TAG } from "../../record/store/atomic-file.ts";
import type { Workspace } from "../../record/workspace.ts";
import type { ConversationCore } from "../core.ts";
import type { EvidencePart } from "../evidence/evidence.ts";
import type { ConversationServices } from "../services.ts";

/** How old the last sign of work on a finding may be, in milliseconds. */
const SIGN_MS = 60_000;
/** Without a sign of work for so long, its holder has left a finding, in milliseconds. */
const LEFT_AFTER_MS = 24 * 3_600_000;
const IDLE = "nobody has gone on with it for a day";
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
    if (isOwn && (await host.sessions.get(hold.session)) === null) return "its session was deleted";
    if (isHere && !isProcessAlive(hold.pid)) return "the OpenCode that worked on it has ended";
    return Math.abs(clock.now() - hold.at) > LEFT_AFTER_MS ? IDLE : null;
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

/**
 * The state of a finding that its conversation has left: the end of its work unit where that has one; `open` where it can simply be
 * begun again, `blocked` where a person has to look. null for one that was not under way.
 * @param unit how the work unit ended: a state, empty while it is not complete, null where there is none
 */
function leftState({ state, unit: slug }: FindingHold, why: string, unit: string | null): string | null {
  if (unit !== null && unit !== "") return unit;
  if (stateOf({ state }) !== "started") return null;
  if (unit === "") return `blocked: ${why}, and the work unit ${slug ?? ""} is not complete`;
  return why === IDLE ? `blocked: ${why}` : `open: ${why}`;
}

/**
 * How a work unit ended, as the state of the finding that it came from: done where it is complete and the host has seen all of
 * it, or its user wants it as it is. Empty while it is under way, and where that cannot be told.
 */
export async function endOfUnit(
  workspace: Pick<Workspace, "readWorkUnit" | "listWorkUnits" | "readDocument">,
  evidence: Pick<EvidencePart, "standing" | "isAccepted">,
  slug: string,
): Promise<string> {
  const unit = await workspace.readWorkUnit({ slug });
  if (unit.ok && unit.status !== "complete") return "";
  const listed = await workspace.listWorkUnits();
  const archived = listed.ok ? listed.archived.findLast((name) => name.endsWith(`.${slug}`)) : undefined;
  if (!unit.ok && archived === undefined) return "";
  const place = `archive/${archived ?? ""}`;
  const plan = unit.ok ? null : await workspace.readDocument({ path: `${place}/plan.md` });
  if (plan?.ok === true && parsePlan(plan.text).status !== "complete")
    return `claimed: ${slug} was archived and is not complete`;
  const claims = await evidence.standing(
    slug,
    plan?.ok === true ? { place, planText: plan.text } : undefined,
  );
  // What the plan says of itself is no proof.
  return claims.length > 0 && evidence.isAccepted(slug, claims)
    ? `done: ${slug} is complete`
    : `claimed: ${slug} is complete by its plan, and not all of it is proven`;
}
