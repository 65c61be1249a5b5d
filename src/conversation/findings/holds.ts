import { isProcessAlive } from "../../lib/is-process-alive.ts";
import { parsePlan } from "../../plan/grammar.ts";
import { isSameId, stateOf } from "../../record/documents/finding.ts";
import type { FindingHold } from "../../record/operations/findings.ts";
import { HOST_TAG } from "../../record/store/atomic-file.ts";
import type { ConversationCore } from "../core.ts";
import type { Checks } from "../checks/checks.ts";
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

/**
 * Who works on findings, in this and other processes of the checkout: what a conversation began and nobody goes on with is given
 * back, and what became of its work unit is written, no matter who brought that to its end. What a person wrote stays.
 */
export function createHolds(
  conversation: Pick<ConversationCore, "rootId" | "state" | "outbox">,
  { workspace, host, clock }: Pick<ConversationServices, "workspace" | "host" | "clock">,
  checks: Pick<Checks, "claims" | "isAccepted">,
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
  /** @returns what is begun now, started again where it was given back; null where someone was quicker */
  const take = async (id: string, unit: string | null, hold: FindingHold): Promise<Begun | null> => {
    const state = hold.isLeft ? "started" : hold.state;
    const change = { id, was: hold.state, state, hold: sign(unit), judged: hold };
    const written = await workspace.stateFinding(change);
    return written.ok && written.changed ? { id, unit, state } : null;
  };
  const goOn = async (begun: Begun, hold: FindingHold): Promise<Begun | null> => {
    if (hold.session !== rootId) return null;
    const isFresh = hold.pid === process.pid && clock.now() - hold.at < SIGN_MS;
    if (isFresh && hold.unit === begun.unit && !hold.isLeft) return begun;
    return (await take(begun.id, begun.unit, hold)) ?? begun;
  };
  /** @returns why nobody works on it; null while someone may */
  const whyNobody = async ({ session, pid, host: on, at }: FindingHold): Promise<string | null> => {
    if (session === rootId) return OTHER_WORK;
    const isHere = on === HOST_TAG;
    // Another process may have sessions that are not known in this one.
    if (isHere && pid === process.pid && (await host.sessions.get(session)) === null)
      return "its session was deleted";
    if (isHere && !isProcessAlive(pid)) return "the OpenCode that worked on it has ended";
    return Math.abs(clock.now() - at) > LEFT_AFTER_MS ? IDLE : null;
  };
  /**
   * How a work unit ended, as the state of the finding that it came from: done where it is complete and the host has seen all of
   * it, or its user wants it as it is. Empty while it is under way, null where there is none.
   */
  const endOf = async (slug: string): Promise<string | null> => {
    const unit = await workspace.readWorkUnit({ slug });
    if (unit.ok && unit.status !== "complete") return "";
    const listed = await workspace.listWorkUnits();
    const archived = listed.ok ? listed.archived.findLast((name) => name.endsWith(`.${slug}`)) : undefined;
    if (!unit.ok && archived === undefined) return null;
    const place = `archive/${archived ?? ""}`;
    const plan = unit.ok ? null : await workspace.readDocument({ path: `${place}/plan.md` });
    const planText = plan?.ok === true ? plan.text : undefined;
    if (planText !== undefined && parsePlan(planText).status !== "complete")
      return `claimed: ${slug} was archived and is not complete`;
    const claims = await checks.claims(slug, planText === undefined ? undefined : { place, planText });
    // What the plan says of itself is no proof.
    return claims.length > 0 && checks.isAccepted(slug, claims)
      ? `done: ${slug} is complete`
      : `claimed: ${slug} is complete by its plan, and not all of it is proven`;
  };

  return {
    endOf,
    /** Writes a state with this conversation as the one that works on it; without a unit given, with nobody. */
    write: async ({
      unit,
      ...change
    }: Pick<Parameters<typeof workspace.stateFinding>[0], "id" | "was" | "state"> & {
      readonly unit?: string | null;
    }) => workspace.stateFinding({ ...change, hold: unit === undefined ? null : sign(unit) }),
    /**
     * Gives a sign of work on what was begun, and gives back what nobody works on.
     * @param begun what this conversation works on; without it, it goes on with one whose work unit is its own
     * @returns what it works on now; null where that is nothing, or someone else has it
     */
    async tidy(begun: Begun | null): Promise<Begun | null> {
      const read = await workspace.findingHolds();
      if (!read.ok || read.holds.size === 0) return begun;
      const own = begun === null ? undefined : read.holds.get(begun.id.toLowerCase());
      let now = begun !== null && own !== undefined ? await goOn(begun, own) : begun;
      const rows = await workspace.readFindings();
      for (const { id, state: was } of rows.ok ? rows.findings : []) {
        const hold = read.holds.get(id.toLowerCase());
        if (hold === undefined || (now !== null && isSameId(now.id, id))) continue;
        const change = { id, was, state: was, hold: null, judged: hold };
        // A person has written something else: what they write later is theirs too.
        const why = was === hold.state ? await whyNobody(hold) : "";
        if (why === "") await workspace.stateFinding(change);
        if (why === "" || why === null) continue;
        const end = hold.unit === null ? null : await endOf(hold.unit);
        if (now === null && end === "" && hold.unit === conversation.state.workUnit) {
          now = await take(id, hold.unit, hold);
          continue;
        }
        const state = leftState(hold, why, end);
        if (state === null) continue;
        const left = state === end ? null : { ...hold, isLeft: true };
        const written = await workspace.stateFinding({ ...change, state, hold: left });
        if (written.ok && written.changed && state !== was)
          conversation.outbox.note(`Finding ${id}: ${state}`);
      }
      return now;
    },
  };
}

/**
 * The state of a finding that its conversation has left: the end of its work unit where that has one; `open` where it can simply be
 * begun again, `blocked` where a person has to look. null for one that was not under way.
 */
function leftState({ state, unit }: FindingHold, why: string, end: string | null): string | null {
  if (end !== null && end !== "") return end;
  if (stateOf({ state }) !== "started") return null;
  if (end === "") return `blocked: ${why}, and the work unit ${unit ?? ""} is not complete`;
  return why === IDLE ? `blocked: ${why}` : `open: ${why}`;
}
