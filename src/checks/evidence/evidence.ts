import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { lazy } from "../../lib/async.ts";
import type { Logger } from "../../lib/error.ts";
import type { Workspace } from "../../record/workspace.ts";

const STATUSES = ["passed", "failed", "timeout", "missing", "cancelled", "error"] as const;

/** What a file of evidence holds: all that the plugin keeps of a unit's proofs (SPEC 2.9). */
export const unitEvidence = lazy(() => {
  const text = z.string();
  const end = { key: text, status: z.enum(STATUSES) };
  const exit_code = z.nullable(z.number());
  const file = z.object({ name: text, digest: text, shown: text });
  const red = z.object({ ...end, exit_code, id: text, signature: z.readonly(z.array(text)) });
  // `tree`: fingerprint of the files that it was seen on; null where it says nothing of any. `at`: ISO 8601 in UTC. `changed`:
  // its own files that were then not what they were when the work began.
  const seen = z.object({
    ...end,
    exit_code,
    command: text,
    duration_ms: z.number(),
    tree: z.nullable(text),
    at: text,
    changed: z.optional(z.readonly(z.array(text))),
  });
  return z.object({
    evidence: z.readonly(z.array(seen)),
    before: z.readonly(z.array(z.object({ ...end, wave: text }))),
    pins: z.readonly(z.array(z.object({ key: text, command: text, files: z.readonly(z.array(file)) }))),
    baseline: z.nullable(z.object({ red: z.readonly(z.array(red)) })),
  });
});

type UnitEvidence = Readonly<z.infer<ReturnType<typeof unitEvidence>>>;
export type Evidence = Readonly<UnitEvidence["evidence"][number]>;
/** How a command ended before the work of a wave began; `wave` is empty for what shows the plan as a whole. */
export type Before = Readonly<UnitEvidence["before"][number]>;
/** The own files of a check when it was first met. */
type Pin = Readonly<UnitEvidence["pins"][number]>;
/** A file, or an entry of one, by which a check says what it runs; `shown` is what the entry says, for people. */
export type OwnFile = Readonly<Pin["files"][number]>;
/** The checks before the first change of a unit: those that failed then. */
export type Baseline = Readonly<NonNullable<UnitEvidence["baseline"]>>;
/** How a check failed then; see `failureKey`. */
export type RedCheck = Readonly<Baseline["red"][number]>;

const NO_EVIDENCE: UnitEvidence = { evidence: [], pins: [], before: [], baseline: null };
/** Commands that are remembered for one unit, the newest. */
const MAX_EVIDENCE = 200;

/** What a command is known by: the very text and the folder it runs in. */
export function commandKey(command: string, cwd = "."): string {
  return digestOf(JSON.stringify([command, cwd]));
}

export function digestOf(content: Buffer | string): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 32);
}

export type EvidenceLedger = ReturnType<typeof createEvidenceLedger>;

/**
 * What the host has seen of the project's commands: for all conversations of a process, for evidence is a fact about the
 * files; and in a sealed file of the work unit, so that it outlives the process. A unit of null is work without one, kept
 * in memory. Nothing here rejects.
 */
export function createEvidenceLedger(
  workspace: Pick<Workspace, "readEvidence" | "writeEvidence">,
  logger: Logger,
) {
  const units = new Map<string | null, Promise<UnitEvidence>>();

  const load = async (unit: string, folder: string): Promise<UnitEvidence> => {
    const read = await workspace.readEvidence({ slug: unit, folder });
    return unitEvidence().safeParse(read.ok ? read.value : null).data ?? NO_EVIDENCE;
  };
  /** What is known of a unit; read from its file at the first time. @param folder where that lies, of an archived unit */
  const of = async (unit: string | null, folder?: string): Promise<UnitEvidence> => {
    const known =
      units.get(unit) ?? (unit === null ? Promise.resolve(NO_EVIDENCE) : load(unit, folder ?? unit));
    units.set(unit, known);
    return known;
  };
  const change = async (unit: string | null, edit: (known: UnitEvidence) => UnitEvidence): Promise<void> => {
    const before = of(unit);
    const changed = before.then(edit);
    units.set(unit, changed);
    const value = await changed;
    if (unit === null || value === (await before)) return;
    const written = await workspace.writeEvidence({ slug: unit, value });
    if (!written.ok) logger.log("warn", "evidence", `${written.error} ${written.hint}`, { unit });
  };
  /** Puts entries at the end of a list in place of those that they are the same as, or beside them where these stay. */
  const put = async <Name extends "evidence" | "pins" | "before">(
    unit: string | null,
    list: Name,
    entries: UnitEvidence[Name],
    stays: boolean,
  ): Promise<void> => {
    const nameOf = ({ key, wave = "" }: { key: string; wave?: string }): string => `${key} ${wave}`;
    await change(unit, (known) => {
      const all: readonly { key: string }[] = known[list];
      const names = new Set(all.map(nameOf));
      const fresh = stays ? entries.filter((each) => !names.has(nameOf(each))) : entries;
      if (fresh.length === 0) return known;
      const replaced = new Set(fresh.map(nameOf));
      const kept = all.filter((each) => !replaced.has(nameOf(each)));
      return { ...known, [list]: [...kept, ...fresh].slice(-MAX_EVIDENCE) };
    });
  };

  return {
    of,
    /** The newest evidence of a command, whichever unit it was run for. */
    async latest(unit: string | null, key: string): Promise<Evidence | null> {
      await of(unit);
      const seen = (await Promise.all(units.values())).flatMap(({ evidence }) => evidence);
      const ours = seen.filter((each) => each.key === key);
      return ours.toSorted((one, other) => one.at.localeCompare(other.at)).at(-1) ?? null;
    },
    add: async (unit: string | null, evidence: readonly Evidence[]): Promise<void> =>
      put(unit, "evidence", evidence, false),
    /** Notes the own files of checks; those that are noted already stay unless `again`. */
    pin: async (unit: string | null, pins: readonly Pin[], again = false): Promise<void> =>
      put(unit, "pins", pins, !again),
    /** Notes how commands ended before the work; what is noted already stays. */
    addBefore: async (unit: string | null, before: readonly Before[]): Promise<void> =>
      put(unit, "before", before, true),
    setBaseline: async (unit: string | null, baseline: Baseline): Promise<void> =>
      change(unit, (known) => ({ ...known, baseline })),
  };
}
