import { visible } from "../../lib/text.ts";
import { listed } from "../../lib/figures.ts";
import type { KnowledgeEntry, KnowledgeStatus } from "./entry.ts";

/** An entry, and whether a person stands behind what its file says. */
export interface SaidEntry extends KnowledgeEntry {
  readonly path: string;
  /** What a yes to it as it is would be kept under. */
  readonly hash: string;
  readonly isConfirmed: boolean;
}

type EntryStanding = KnowledgeStatus | "unconfirmed";

export interface JudgedEntry extends SaidEntry {
  readonly standing: EntryStanding;
}

/** Decides what counts. Only `accepted` ever reaches a model; pure. */
export function judgeKnowledge(entries: readonly SaidEntry[]): JudgedEntry[] {
  const accepted = entries.filter((entry) => entry.status === "accepted" && entry.isConfirmed);
  const isReplaced = (entry: SaidEntry): boolean =>
    accepted.some((other) => other !== entry && other.supersedes.includes(entry.id));
  const standingOf = (entry: SaidEntry): EntryStanding => {
    if (entry.status !== "accepted") return entry.status;
    if (!entry.isConfirmed) return "unconfirmed";
    return isReplaced(entry) ? "replaced" : "accepted";
  };
  return entries.map((entry) => ({ ...entry, standing: standingOf(entry) }));
}

/** Those that a person has to decide on, the oldest first. */
export function waiting(entries: readonly JudgedEntry[]): JudgedEntry[] {
  return entries
    .filter(({ standing }) => standing === "proposed" || standing === "unconfirmed")
    .toSorted((one, other) => one.at.localeCompare(other.at) || one.slug.localeCompare(other.slug));
}

/** How many there are of each standing, and what waits for a person (governance_status). */
export function renderGovernance(entries: readonly JudgedEntry[]): string {
  if (entries.length === 0) return "";
  const counts = new Map<EntryStanding, number>();
  for (const { standing } of entries) counts.set(standing, (counts.get(standing) ?? 0) + 1);
  const told = [...counts].map(([standing, count]) => `${count} ${standing}`).join(", ");
  const open = waiting(entries);
  if (open.length === 0) return `knowledge: ${told}`;
  const names = open.map(({ id, standing, by }) => {
    const whose =
      standing === "unconfirmed" ? "says accepted, nobody here said so" : `proposed by ${by || "somebody"}`;
    return `${id} (${whose})`;
  });
  return `knowledge: ${told} · waits for you: ${listed(names, 5)}; /gaia-init or opencode-gaia knowledge`;
}

export function renderEntry(entry: JudgedEntry): string {
  const { id, kind, standing, by, at, reason, source, evidence, about, path, body } = entry;
  const head = [
    `${id} (${kind}, ${standing})`,
    by && `by ${by}`,
    at,
    reason && `because: ${reason}`,
    source && `learnt in ${source}`,
    evidence && `shown by: ${evidence}`,
    about.length > 0 && `about: ${about.join(", ")}`,
  ];
  const text = body.split("\n").map((line) => `    ${visible(line)}`);
  return [visible(head.filter(Boolean).join(" · ")), `  ${path}`, "", ...text].join("\n");
}
