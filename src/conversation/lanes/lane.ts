import * as z from "zod/mini";
import type { Look } from "../../checks/evidence/plan-evidence.ts";
import type { Role } from "../../config/roles.ts";
import { excerpt } from "../../lib/text.ts";
import { plainName } from "../../lib/nearest-name.ts";
import { textOf } from "../../lib/json.ts";
import { orElse, readSaved, savedFlag, savedText } from "../../lib/schema.ts";
import { lazy } from "../../lib/async.ts";

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
/** Commands that one piece of work is proven by. */
const MAX_PROOFS = 8;

/** What is damaged counts as not proven. */
const laneSchema = lazy(() => {
  const text = savedText(MAX_TEXT);
  const command = z.string().check(z.minLength(1), z.maxLength(MAX_TEXT));
  const standing = z.union([
    z.object({ kind: z.enum(["proven", "passes"]), by: z.string().check(z.minLength(1)) }),
    z.object({ kind: z.enum(["claimed", "failed"]), why: text }),
  ]);
  return z.object({
    name: z.enum(LANES),
    /** The commands that show the work, as delegations that have ended named them. */
    proofs: orElse(
      z
        .array(
          z.object({
            command,
            /** The host saw it failing before the work. */
            isRed: savedFlag(),
          }),
        )
        .check(z.maxLength(MAX_PROOFS)),
      [],
    ),
    /** Whether anything but documents was changed. */
    changesCode: savedFlag(true),
    /** null as long as nothing was changed by someone who has ended. */
    standing: orElse(z.nullable(standing), { kind: "claimed", why: "" }),
  });
});

/** The work that a conversation is at; plain JSON, for it survives a restart. */
export type WorkLane = Readonly<z.infer<ReturnType<typeof laneSchema>>>;
export type Proof = WorkLane["proofs"][number];

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

export function newLane(name: LaneName): WorkLane {
  return laneSchema().parse({ name, changesCode: false, standing: null });
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

/** Whether a change in this lane is proven here; that of a unit with a plan is proven by its evidence. */
export function needsProof({ name }: WorkLane, workUnit: string | null): boolean {
  return workUnit === null || name === "bug" || name === "quick-fix";
}

/** In a bug a tester's work is the test that fails, as long as there is no fix. */
export function isRedTest({ name, standing }: WorkLane, role: Role | null): boolean {
  return name === "bug" && role === "tester" && standing === null;
}

/** The proofs with one more, which is the last. */
export function withProof(proofs: readonly Proof[], proof: Proof): Proof[] {
  return [...proofs.filter(({ command }) => command !== proof.command), proof].slice(-MAX_PROOFS);
}

const MAX_SHOWN = 120;

/** How a command ends on the files as they are now, run by the host. */
export type LookAt = (command: string) => Promise<Look>;

/**
 * What changed work is worth (SPEC 11): all commands that were named as its proof pass on the files as they are. Words prove
 * nothing.
 * @returns null for a change of documents, which asks for no proof
 */
export async function proveLane(
  proofs: readonly Proof[],
  changesCode: boolean,
  look: LookAt,
): Promise<LaneStanding | null> {
  if (proofs.length === 0) return changesCode ? claimed("no `verify` was named for it") : null;
  const ends: LaneStanding[] = [];
  for (const { command, isRed } of proofs) {
    const { end, why } = await look(command);
    if (end === "failed") return { kind: "failed", why: `${quoted(command)} fails` };
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
