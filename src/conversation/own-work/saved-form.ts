import { recordOf, textOf, type JsonRecord } from "../../lib/json.ts";
import type { FileVersion, TreeChange } from "../../vcs/tree/state.ts";
import { type Ledger, type LedgerEntry, MAX_ENTRIES } from "./ledger.ts";

/** Bytes of the user's files that are kept over a restart, all together. */
const MAX_SAVED_BYTES = 4_000_000;

/** The ledger as plain JSON. */
export function saveLedger(ledger: Ledger): object[] {
  return [...ledger].map(([path, entry]) => ({ path, ...entry }));
}

/** Reads {@link saveLedger}'s form; entries that are not of it are left out. */
export function restoreLedger(saved: unknown): Map<string, LedgerEntry> {
  return new Map(
    listOf(saved)
      .slice(-MAX_ENTRIES)
      .flatMap((raw) => {
        const path = textOf(raw["path"]);
        const [before, after] = [readVersion(raw["before"]), readVersion(raw["after"])];
        if (path === undefined || before === null || after === null) return [];
        const wasClean = raw["wasClean"] === true;
        return [[path, { before, after, wasClean, isShared: raw["isShared"] !== false }] as const];
      }),
  );
}

/** Reads changes; what is not of their form is left out. */
export function restoreChanges(saved: unknown): TreeChange[] {
  return listOf(saved).flatMap((raw) => {
    const path = textOf(raw["path"]);
    const [before, after] = [readVersion(raw["before"]), readVersion(raw["after"])];
    return path === undefined || before === null || after === null ? [] : [{ path, before, after }];
  });
}

/** Bytes by the ids of their versions, as text; as many as fit. */
export function saveBytes(
  ids: Iterable<string>,
  bytesOf: (id: string) => Buffer | null,
): Record<string, string> {
  const saved: Record<string, string> = {};
  let left = MAX_SAVED_BYTES;
  for (const id of ids) {
    const bytes = bytesOf(id);
    if (bytes === null || bytes.length > left) continue;
    left -= bytes.length;
    saved[id] = bytes.toString("base64");
  }
  return saved;
}

export function restoreBytes(saved: unknown, keep: (id: string, bytes: Buffer) => void): void {
  for (const [id, text] of Object.entries(recordOf(saved))) {
    if (typeof text === "string") keep(id, Buffer.from(text, "base64"));
  }
}

function listOf(saved: unknown): JsonRecord[] {
  return Array.isArray(saved) ? saved.map(recordOf) : [];
}

function readVersion(raw: unknown): FileVersion | null {
  const { id, mode, stored }: JsonRecord = recordOf(raw);
  if (typeof id !== "string" || typeof mode !== "string") return null;
  return typeof stored === "string" ? { id, mode, stored } : { id, mode };
}
