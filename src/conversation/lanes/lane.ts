import type { Look } from "../../checks/evidence/plan-evidence.ts";
import type { Role } from "../../config/roles.ts";
import { excerpt } from "../../lib/text.ts";
import { plainName } from "../../lib/nearest-name.ts";
import { textOf } from "../../lib/json.ts";

/** The kinds of work; each decides what is required (SPEC 12). */
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

/** Commands that one piece of work is proven by. */
const MAX_PROOFS = 8;

/** The work of a conversation; plain JSON, kept over a restart. */
export interface WorkLane {
  readonly name: LaneName;
  /** The commands that prove the work, named by delegations that have ended. */
  readonly proofs: readonly Proof[];
  /** Whether files other than documents were changed. */
  readonly changesCode: boolean;
  /** null until a delegation that changed something has ended. */
  readonly standing: LaneStanding | null;
}

export interface Proof {
  readonly command: string;
  /** The host saw it failing before the work. */
  readonly isRed: boolean;
}

/** The standing of changed work on the current files (SPEC 11): proven, passes, failed, or claimed, and why. */
export type LaneStanding =
  | { readonly kind: "proven" | "passes"; readonly by: string }
  | { readonly kind: "claimed" | "failed"; readonly why: string };

/** The kind of work of this name, in any case and with any separators; undefined for none. */
export function readLane(value: unknown): LaneName | undefined {
  const name = plainName(textOf(value) ?? "");
  return LANES.find((each) => plainName(each) === name);
}

export function newLane(name: LaneName): WorkLane {
  return { name, proofs: [], changesCode: false, standing: null };
}

export function renderStanding(standing: LaneStanding): string {
  if ("why" in standing)
    return standing.kind === "failed" ? `failed: ${standing.why}` : `claimed, not proven: ${standing.why}`;
  if (standing.kind === "proven") return `proven by ${standing.by}`;
  return `passes ${standing.by}, which was not seen failing before the work`;
}

/** Whether a change in this lane needs a proof here; the plan of a unit brings its own evidence. */
export function needsProof({ name }: WorkLane, workUnit: string | null): boolean {
  return workUnit === null || name === "bug" || name === "quick-fix";
}

/** In a bug the first work of a tester is the failing test. */
export function isRedTest({ name, standing }: WorkLane, role: Role | null): boolean {
  return name === "bug" && role === "tester" && standing === null;
}

/** The proofs with one more, which is the last. */
export function withProof(proofs: readonly Proof[], proof: Proof): Proof[] {
  return [...proofs.filter(({ command }) => command !== proof.command), proof].slice(-MAX_PROOFS);
}

const MAX_SHOWN = 120;

/** Runs a command on the current files, by the host. */
export type LookAt = (command: string) => Promise<Look>;

/**
 * Proves changed work (SPEC 11): all commands that were named for it must pass on the current files.
 * @param sawFail hears of a command that fails: it stands until it passes, which then proves something
 * @returns null for a change of documents, which needs no proof
 */
export async function proveLane(
  { proofs, changesCode }: WorkLane,
  look: LookAt,
  sawFail: (command: string) => void,
): Promise<LaneStanding | null> {
  if (proofs.length === 0) return changesCode ? claimed("no `verify` was named for it") : null;
  const ends: LaneStanding[] = [];
  for (const { command, isRed } of proofs) {
    const { end, why } = await look(command);
    if (end === "failed") {
      sawFail(command);
      return { kind: "failed", why: `${quoted(command)} fails` };
    }
    if (end === "unknown") ends.push(claimed(`${quoted(command)}: ${excerpt(why, MAX_SHOWN)}`));
    else ends.push({ kind: isRed ? "proven" : "passes", by: quoted(command) });
  }
  const last = (kind: LaneStanding["kind"]) => ends.findLast((each) => each.kind === kind);
  return last("claimed") ?? last("proven") ?? last("passes") ?? null;
}

const claimed = (why: string): LaneStanding => ({ kind: "claimed", why });

export function quoted(command: string): string {
  return `\`${excerpt(command, MAX_SHOWN)}\``;
}
