import type { Logger } from "../../lib/logger.ts";
import type { Workspace } from "../../record/workspace.ts";
import {
  type Baseline,
  type Before,
  type Evidence,
  MAX_EVIDENCE,
  NO_EVIDENCE,
  type Pin,
  unitEvidence,
  type UnitEvidence,
} from "./evidence.ts";

/**
 * What the host has seen of the project's commands: for all conversations of a process, for evidence is a fact about the
 * files; and in a sealed file of the work unit, so that it outlives the process. A unit of null is work without one, kept
 * in memory. Nothing here rejects.
 */
export interface EvidenceLedger {
  /** What is known of a unit; read from its file at the first time. @param folder where that lies, of an archived unit */
  of(unit: string | null, folder?: string): Promise<UnitEvidence>;
  /** The newest evidence of a command, whichever unit it was run for. */
  latest(unit: string | null, key: string): Promise<Evidence | null>;
  add(unit: string | null, evidence: readonly Evidence[]): Promise<void>;
  /** Notes the own files of checks; those that are noted already stay unless `again`. */
  pin(unit: string | null, pins: readonly Pin[], again?: boolean): Promise<void>;
  /** Notes how commands ended before the work; what is noted already stays. */
  addBefore(unit: string | null, before: readonly Before[]): Promise<void>;
  setBaseline(unit: string | null, baseline: Baseline): Promise<void>;
}

export function createEvidenceLedger(
  workspace: Pick<Workspace, "readEvidence" | "writeEvidence">,
  logger: Logger,
): EvidenceLedger {
  const units = new Map<string | null, Promise<UnitEvidence>>();
  const newest = new Map<string, Evidence>();

  const load = async (unit: string, folder = unit): Promise<UnitEvidence> => {
    const read = await workspace.readEvidence({ slug: unit, folder });
    const known = unitEvidence().safeParse(read.ok ? read.value : null).data ?? NO_EVIDENCE;
    for (const evidence of known.evidence) {
      const before = newest.get(evidence.key);
      if (before === undefined || before.at < evidence.at) newest.set(evidence.key, evidence);
    }
    return known;
  };
  const of: EvidenceLedger["of"] = async (unit, folder) => {
    const known = units.get(unit) ?? (unit === null ? Promise.resolve(NO_EVIDENCE) : load(unit, folder));
    units.set(unit, known);
    return known;
  };
  const change = async (unit: string | null, edit: (known: UnitEvidence) => UnitEvidence): Promise<void> => {
    const changed = of(unit).then(edit);
    units.set(unit, changed);
    const value = await changed;
    if (unit === null) return;
    const written = await workspace.writeEvidence({ slug: unit, value });
    if (!written.ok) logger.log("warn", "evidence", `${written.error} ${written.hint}`, { unit });
  };

  return {
    of,
    async latest(unit, key) {
      await of(unit);
      return newest.get(key) ?? null;
    },
    async add(unit, evidence) {
      if (evidence.length === 0) return;
      for (const each of evidence) newest.set(each.key, each);
      const keys = new Set(evidence.map(({ key }) => key));
      await change(unit, (known) => ({
        ...known,
        evidence: [...known.evidence.filter(({ key }) => !keys.has(key)), ...evidence].slice(-MAX_EVIDENCE),
      }));
    },
    async pin(unit, pins, again = false) {
      const before = new Set((await of(unit)).pins.map(({ key }) => key));
      const fresh = pins.filter(({ key }) => again || !before.has(key));
      if (fresh.length === 0) return;
      const keys = new Set(fresh.map(({ key }) => key));
      await change(unit, (known) => ({
        ...known,
        pins: [...known.pins.filter(({ key }) => !keys.has(key)), ...fresh].slice(-MAX_EVIDENCE),
      }));
    },
    async addBefore(unit, before) {
      const known = (await of(unit)).before;
      const isKnown = (one: Before): boolean =>
        known.some(({ key, wave }) => key === one.key && wave === one.wave);
      const fresh = before.filter((each) => !isKnown(each));
      if (fresh.length === 0) return;
      await change(unit, (all) => ({ ...all, before: [...all.before, ...fresh].slice(-MAX_EVIDENCE) }));
    },
    async setBaseline(unit, baseline) {
      await change(unit, (known) => ({ ...known, baseline }));
    },
  };
}
