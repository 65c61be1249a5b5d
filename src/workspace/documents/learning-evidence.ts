import { isRecord, numberOf, parseJson, recordOf, textOf } from "../../lib/json.ts";
import { idOfLearning, type Learning } from "./learning.ts";

/** Learnings of which something is known; those that nothing was seen of for longest give way. */
const MAX_KNOWN = 2_000;
/** So often contradicted, a learning is put to the user for removal. */
const MOST_CONTRADICTED = 2;

/** What became of a learning where it was brought up: each conversation counts once for each. */
export interface LearningEvidence {
  /** Work that did as it says was shown to be right. */
  readonly confirmed: number;
  /** Work on what it names was taken back or refused by the user, or its command had to be corrected. */
  readonly contradicted: number;
  /** The ISO day on which something of this was seen last. */
  readonly last: string;
}

/** By the learnings' ids. It stands in `.gaia/.local/`: what one checkout has seen is counted there, and rewrites no line that is shared. */
export type EvidenceOfLearnings = ReadonlyMap<string, LearningEvidence>;

/** Texts of learnings, by what became of them. */
export type SeenOfLearnings = Readonly<Record<"confirmed" | "contradicted", readonly string[]>>;

/** What cannot be read counts as not there: nobody but the plugin writes it. */
export function parseEvidence(text: string | null): EvidenceOfLearnings {
  const found = Object.entries(recordOf(parseJson(text ?? ""))).flatMap(([id, value]) => {
    if (!isRecord(value)) return [];
    const count = (name: string): number => Math.max(0, Math.trunc(numberOf(value[name]) ?? 0));
    const known = { confirmed: count("confirmed"), contradicted: count("contradicted") };
    return [[id, { ...known, last: textOf(value["last"]) ?? "" }] as const];
  });
  return new Map(found);
}

/** The inverse of {@link parseEvidence}. */
export function renderEvidence(evidence: EvidenceOfLearnings): string {
  return `${JSON.stringify(Object.fromEntries(evidence), null, 1)}\n`;
}

/** @param today ISO day */
export function countSeen(
  evidence: EvidenceOfLearnings,
  seen: SeenOfLearnings,
  today: string,
): EvidenceOfLearnings {
  const next = new Map(evidence);
  for (const what of ["confirmed", "contradicted"] as const) {
    for (const text of seen[what]) {
      const id = idOfLearning(text);
      const before = next.get(id) ?? { confirmed: 0, contradicted: 0, last: "" };
      // Seen last, it goes last.
      next.delete(id);
      next.set(id, { ...before, [what]: before[what] + 1, last: today });
    }
  }
  return new Map([...next].slice(-MAX_KNOWN));
}

/** Those that the user is asked whether they still hold, oldest first. */
export function findDoubtful<T extends Pick<Learning, "text">>(
  learnings: readonly T[],
  evidence: EvidenceOfLearnings,
): T[] {
  return learnings.filter(
    ({ text }) => (evidence.get(idOfLearning(text))?.contradicted ?? 0) >= MOST_CONTRADICTED,
  );
}

/** Without what was counted of these: they are gone, or the user has said that they hold. */
export function forgetEvidence(evidence: EvidenceOfLearnings, texts: readonly string[]): EvidenceOfLearnings {
  const ids = new Set(texts.map(idOfLearning));
  return new Map([...evidence].filter(([id]) => !ids.has(id)));
}
