import { excerpt } from "../../lib/excerpt.ts";
import type { Batch } from "./batch.ts";
import { nameOf } from "../../agents/registry.ts";
import { valuesOf, type ReviewDepth } from "../../config/knobs.ts";

const MAX_STEER = 600;
const UNDO = /^(?:please )?undo(?: (?:that|this|it|(?:the )?last(?: (?:one|step|change|batch|edit))?))?$/;
const DEEPER =
  /^(?:please )?(?:review|check) (?:this |that |it )?(?:deeper|more deeply|in more depth)(?: \([a-z_]+\))?$/;
const CHANGE = /^(?:please )?change (?:the )?approach(?: to)?[ :]+(.+)$/is;

/** What the user wants at a check-in. Only whole, plain phrases are recognised; all else is a remark for GAIA to read. */
export type Feedback =
  | { readonly kind: "next" | "undo" | "deeper" | "remark" }
  | { readonly kind: "change"; readonly approach: string };

/** Reads a message that answers a check-in. */
export function readFeedback(text: string): Feedback {
  const plain = text
    .toLowerCase()
    .replace(/["'.!\s]+/g, " ")
    .trim();
  if (plain === "/next") return { kind: "next" };
  if (UNDO.test(plain)) return { kind: "undo" };
  if (DEEPER.test(plain)) return { kind: "deeper" };
  const change = CHANGE.exec(text.trim());
  return change?.[1] === undefined ? { kind: "remark" } : { kind: "change", approach: change[1] };
}

/** The next review depth, or the same one at the end of the scale. */
export function deeperThan(depth: ReviewDepth): ReviewDepth {
  const depths = valuesOf("reviewDepth");
  return depths[depths.indexOf(depth) + 1] ?? depth;
}

/**
 * What GAIA is told with the feedback, at most 600 characters, so that it leads to the right delegation; null when
 * the user's own words say it all. The review depth knob stays: only the user's commands turn it.
 */
export function steerBy(feedback: Feedback, batch: Batch, depth: ReviewDepth): string | null {
  const files = excerpt(batch.files.map((file) => file.path).join(", "), 240) || "no files";
  switch (feedback.kind) {
    case "deeper":
      return `The user wants a deeper review before work continues. Delegate it to ${nameOf("reviewer")} and ${nameOf("checker")} in parallel at depth ${deeperThan(depth)}: ${files}. Change nothing meanwhile, report, then end your turn.`;
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
