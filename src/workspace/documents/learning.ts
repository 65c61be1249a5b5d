import { createHash } from "node:crypto";
import { foreignLine } from "../markdown/foreign-text.ts";

/** What kinds of learning there are (SPEC 10). */
export const LEARNING_KINDS = [
  "correction",
  "decision",
  "preference",
  "pattern",
  "anti_pattern",
  "constraint",
  "insight",
] as const;

/** One of them. */
export type LearningKind = (typeof LEARNING_KINDS)[number];

/** One line of `learnings.md`. */
export interface Learning {
  readonly kind: LearningKind;
  readonly text: string;
  /** ISO day; empty when a person wrote the line without one. */
  readonly date: string;
  /** The work unit in which it was learned. */
  readonly unit?: string;
  /** From 0 to 1. */
  readonly confidence?: number;
}

/** A learning as callers give it: a line of text in the file's format or less, or the fields. */
export type LearningInput = string | (Pick<Learning, "text"> & Partial<Learning>);

/** Unit, day and confidence behind the last ` — ` of a line. */
const PROVENANCE =
  /^(?:([a-z0-9][a-z0-9-]{0,63}), )?(\d{4}-\d{2}-\d{2})(?:, confidence (0(?:\.\d+)?|1(?:\.0+)?))?$/;
/** A kind as `**kind**`, `[kind]` or `kind:` in front of the text. */
const MARK = /^(?:\*\*([a-z_]+)\*\*:?|\[([a-z_]+)\]:?|([a-z_]+):)(?:\s+|$)/i;

/** Reads a bullet's text. What a person wrote without a kind counts as an insight. */
export function parseLearning(bullet: string): Learning {
  const line = foreignLine(bullet.replace(/^\s*[-*+]\s+/, ""));
  const mark = MARK.exec(line);
  const named = (mark?.[1] ?? mark?.[2] ?? mark?.[3])?.toLowerCase();
  const kind = LEARNING_KINDS.find((name) => name === named);
  const rest = kind === undefined ? line : line.slice(mark?.[0].length);
  const cut = rest.lastIndexOf(" — ");
  const tail = cut === -1 ? null : PROVENANCE.exec(rest.slice(cut + 3));
  if (tail === null) return { kind: kind ?? "insight", text: rest, date: "" };
  const [, unit, date = "", confidence] = tail;
  return {
    kind: kind ?? "insight",
    text: rest.slice(0, cut).trim(),
    date,
    ...(unit === undefined ? {} : { unit }),
    ...(confidence === undefined ? {} : { confidence: Number(confidence) }),
  };
}

/** The line that {@link parseLearning} reads back: `- **kind** text — unit, day, confidence 0.8`. */
export function renderLearning({ kind, text, date, unit, confidence }: Learning): string {
  const sureness = confidence === undefined ? undefined : `confidence ${Number(confidence.toFixed(2))}`;
  const provenance = [unit, date, sureness].filter((part) => part !== undefined);
  return `- **${kind}** ${foreignLine(text)} — ${provenance.join(", ")}`;
}

/** What two wordings of one learning have in common: marks, quotes, letter case and final punctuation aside. */
export function keyOfLearning({ text }: Learning): string {
  const plain = foreignLine(
    text
      .normalize("NFKC")
      .toLowerCase()
      .replaceAll(/[*_`"'“”‘’]/g, ""),
  );
  return plain.replace(/[.!;,]{1,8}$/, "") || text;
}

/** Short and stable: the same for two wordings of one learning. */
export function idOfLearning(text: string): string {
  return createHash("sha256")
    .update(keyOfLearning({ kind: "insight", text, date: "" }))
    .digest("hex")
    .slice(0, 8);
}
