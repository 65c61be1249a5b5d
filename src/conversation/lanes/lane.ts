import * as z from "zod/mini";
import type { Look } from "../../checks/evidence/plan-evidence.ts";
import type { Role } from "../../config/roles.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { plainName } from "../../lib/nearest-name.ts";
import { textOf } from "../../lib/json.ts";
import { lazy } from "../../lib/lazy.ts";
import { orElse, readSaved, savedFlag, savedText } from "../../lib/saved.ts";

/** The kinds of work, by which it is decided what is required (SPEC 12). */
export const LANES = [
  "trivial",
  "quick-fix",
  "bug",
  "feature",
  "refactor",
  "infra",
  "review",
  "docs",
  "verify",
] as const;
export type LaneName = (typeof LANES)[number];

const MAX_TEXT = 300;

/** What is damaged counts as not proven. */
const laneSchema = lazy(() => {
  const text = savedText(MAX_TEXT);
  const command = orElse(z.nullable(z.string().check(z.maxLength(MAX_TEXT))), null);
  const standing = z.union([
    z.object({ kind: z.enum(["proven", "passes"]), by: z.string().check(z.minLength(1)) }),
    z.object({ kind: z.enum(["claimed", "failed"]), why: text }),
  ]);
  return z.object({
    name: z.enum(LANES),
    /** Someone said so; else it follows from what is done. */
    isSaid: savedFlag(),
    /** Who changed files for it first; the session is empty before it has begun. */
    editor: orElse(z.nullable(z.object({ agent: text, call: text, session: text })), null),
    hasCause: savedFlag(),
    /** The command that is to show the work, as a delegation named it; and one that the host saw failing before it. */
    verify: command,
    red: command,
    /** Whether anything but documents was changed. */
    changesCode: savedFlag(true),
    /** null as long as nothing was changed by someone who has ended. */
    standing: orElse(z.nullable(standing), { kind: "claimed", why: "" }),
    /** The user has spoken since it was done: what comes next is other work. */
    isOver: savedFlag(),
  });
});

/** The work that a conversation is at; plain JSON, for it survives a restart. */
export type WorkLane = Readonly<z.infer<ReturnType<typeof laneSchema>>>;

/**
 * Where changed work stands on the files as they are (SPEC 11): green and seen red before the work, green and nothing more, red,
 * or no more than said, and why.
 */
export type LaneStanding = NonNullable<WorkLane["standing"]>;

/** The kind of work of this name, whatever its case and separators; undefined for none. */
export function readLane(value: unknown): LaneName | undefined {
  const name = plainName(textOf(value) ?? "");
  return LANES.find((each) => plainName(each) === name);
}

export function newLane(name: LaneName, isSaid: boolean): WorkLane {
  return laneSchema().parse({ name, isSaid, changesCode: false, standing: null });
}

export function renderStanding(standing: LaneStanding): string {
  if ("why" in standing)
    return standing.kind === "failed" ? `failed: ${standing.why}` : `claimed, not proven: ${standing.why}`;
  if (standing.kind === "proven") return `proven by ${standing.by}`;
  return `passes ${standing.by}, which was not seen failing before the work`;
}

/** @returns null for what is no lane */
export function readSavedLane(saved: unknown): WorkLane | null {
  return readSaved(laneSchema(), [saved], 1)[0] ?? null;
}

interface LaneWork {
  readonly agent: string;
  readonly role: Role | null;
  readonly mutates: boolean;
  /** The session that it goes on in; null for a new one. */
  readonly resume: string | null;
  /** Whether the conversation's unit has a plan with tasks. */
  readonly hasPlan: boolean;
}

/** What work is that nobody has named: by hand, and outside of a unit, a change is a quick fix. */
export function inferLane({ role, mutates }: LaneWork, workUnit: string | null): LaneName | null {
  return mutates && role !== "tester" && workUnit === null ? "quick-fix" : null;
}

/**
 * Why a delegation does not fit its kind of work, in one line for GAIA; null where it does. It is advice and refuses nothing:
 * what was not done as the kind requires is told as claimed when it ends.
 */
export function adviseLane(lane: WorkLane, work: LaneWork, nameOf: (role: Role) => string): string | null {
  const line = misfit(lane, work, nameOf);
  return line === null ? null : `${lane.name}: ${line}`;
}

function misfit(lane: WorkLane, work: LaneWork, nameOf: (role: Role) => string): string | null {
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
