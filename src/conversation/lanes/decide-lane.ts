import type { Look } from "../../checks/evidence/plan-evidence.ts";
import type { Role } from "../../config/roles.ts";
import { excerpt } from "../../lib/excerpt.ts";
import type { WorkLane, LaneName, LaneStanding } from "./lane.ts";

export interface LaneWork {
  readonly agent: string;
  readonly role: Role | null;
  readonly mutates: boolean;
  /** The session that it goes on in; null for a new one. */
  readonly resume: string | null;
  /** Whether the conversation's unit has a plan with tasks. */
  readonly hasPlan: boolean;
}

export type NameOf = (role: Role) => string;

/** What work is that nobody has named: by hand, and outside of a unit, a change is a quick fix. */
export function inferLane({ role, mutates }: LaneWork, workUnit: string | null): LaneName | null {
  return mutates && role !== "tester" && workUnit === null ? "quick-fix" : null;
}

/**
 * Why a delegation does not fit its kind of work, in one line for GAIA; null where it does. It is advice and refuses nothing:
 * what was not done as the kind requires is told as claimed when it ends.
 */
export function adviseLane(lane: WorkLane, work: LaneWork, nameOf: NameOf): string | null {
  const line = misfit(lane, work, nameOf);
  return line === null ? null : `${lane.name}: ${line}`;
}

function misfit(lane: WorkLane, work: LaneWork, nameOf: NameOf): string | null {
  const { role, mutates, resume, hasPlan } = work;
  const fixes = mutates && role !== "tester";
  switch (lane.name) {
    case "trivial":
      return mutates ? "it changes nothing; this is a quick-fix, bug or feature." : null;
    case "review":
    case "verify":
      return mutates ? "it changes nothing; report first, the user says what is fixed." : null;
    case "quick-fix": {
      if (role === "historian") return "it leaves no record unless something was learnt.";
      const first = lane.editor;
      const isOther = first !== null && (resume === null || resume !== first.session);
      if (!mutates || !isOther) return null;
      return `one specialist does it: resume ${first.agent}${first.session === "" ? "" : ` (${first.session})`}; what takes more is a bug or feature.`;
    }
    case "bug":
      if (!mutates) return null;
      if (!lane.hasCause) return `the cause comes first, with its evidence: ${nameOf("recon")}.`;
      return fixes && lane.red === null ? `a red test comes before the fix: ${nameOf("tester")}.` : null;
    case "feature":
    case "refactor":
      if (!mutates || hasPlan || !lane.isSaid) return null;
      return "it is planned first: plan_gaia run with its plan.";
    default:
      return null;
  }
}

/** Whether a change in this lane is proven here; that of a unit with a plan is proven by its evidence. */
export function needsProof({ name }: WorkLane, workUnit: string | null): boolean {
  return workUnit === null || name === "bug" || name === "quick-fix";
}

const MAX_SHOWN = 120;

/** How a command ends on the files as they are now, run by the host. */
export type LookAt = (command: string) => Promise<Look>;

export const quoted = (command: string): string => `\`${excerpt(command, MAX_SHOWN)}\``;

/**
 * What the change of a specialist is worth (SPEC 11): the command that was named as its proof, and the one that was seen failing
 * before it, pass on the files as they are. Its own words prove nothing.
 * @returns null for a change of documents, which asks for no proof
 */
export async function proveLane(
  { red, verify, changesCode }: WorkLane,
  look: LookAt,
): Promise<LaneStanding | null> {
  const commands = [...new Set([red ?? [], verify ?? []].flat())];
  if (commands.length === 0) return changesCode ? claimed("no `verify` was named for it") : null;
  for (const command of commands) {
    const { end, why } = await look(command);
    if (end === "failed") return { kind: "failed", why: `${quoted(command)} fails` };
    if (end === "unknown") return claimed(`${quoted(command)}: ${excerpt(why, MAX_SHOWN)}`);
  }
  return red === null ? { kind: "passes", by: quoted(verify ?? "") } : { kind: "proven", by: quoted(red) };
}

const claimed = (why: string): LaneStanding => ({ kind: "claimed", why });
