import { excerpt } from "../../lib/excerpt.ts";
import type { Batch } from "./batch.ts";
import { nameOf } from "../../agents/registry.ts";
import { valuesOf, type ReviewDepth } from "../../config/knobs.ts";

const MAX_STEER = 600;
const DEEPER = "review this deeper";
const CHANGE = "change approach to ";

/** What the user wants at a check-in. Only the phrases that the packet shows are recognised; all else is a remark for GAIA to read. */
export type Feedback =
  | { readonly kind: "next" | "undo" | "deeper" | "remark" }
  | { readonly kind: "change"; readonly approach: string };

/** Reads a message that answers a check-in. */
export function readFeedback(text: string): Feedback {
  const said = text.replaceAll('"', "").trim();
  const plain = said.toLowerCase();
  if (plain === "/next") return { kind: "next" };
  if (plain === "undo last" || plain === "undo") return { kind: "undo" };
  if (plain === DEEPER || (plain.startsWith(`${DEEPER} (`) && plain.endsWith(")"))) return { kind: "deeper" };
  if (plain.startsWith(CHANGE)) return { kind: "change", approach: said.slice(CHANGE.length) };
  return { kind: "remark" };
}

/** The next review depth, or the same one at the end of the scale. */
export function deeperThan(depth: ReviewDepth): ReviewDepth {
  const depths = valuesOf("reviewDepth");
  return depths[depths.indexOf(depth) + 1] ?? depth;
}

/**
 * What GAIA is told with the feedback, at most 600 characters, so that it leads to the right delegation; null when
 * the user's own words say it all.
 * @param depth of the reviews from now on
 */
export function steerBy(feedback: Feedback, batch: Batch, depth: ReviewDepth): string | null {
  const files = excerpt(batch.files.map((file) => file.path).join(", "), 240) || "no files";
  switch (feedback.kind) {
    case "deeper":
      return `The user wants a deeper review before work continues. Delegate it to ${nameOf("reviewer")} and ${nameOf("checker")} in parallel at depth ${depth}: ${files}. Change nothing meanwhile, report, then end your turn.`;
    case "change":
      return excerpt(
        `The user changes the approach to: ${feedback.approach} Replan the next delegation under this constraint and say in one line what changes.`,
        MAX_STEER,
      );
    // Carried out by the host, without a model.
    case "undo":
    case "next":
    case "remark":
      return null;
  }
}
