import type { Clock } from "../lib/clock.ts";
import { type ReviewBrief, type ReviewDepth, shapeReview } from "./review-depth.ts";
import { readWorkingChanges, type WorkingTree } from "../vcs/working-changes.ts";

/** The project's current changes, shaped for whoever reviews them: the one place that tools and commands ask. */
export interface ReviewerBriefs {
  /**
   * @returns null when nothing is changed since the newest commit
   * @throws nothing; what version control does not tell within its time is missing from the brief
   */
  current(depth: ReviewDepth, signal?: AbortSignal): Promise<ReviewBrief | null>;
}

export interface ReviewerBriefsInput {
  readonly directory: string;
  readonly vcs: WorkingTree["vcs"];
  readonly clock: Clock;
  /** Whether no model may see the content of a file, by its path relative to the project (SPEC 9). */
  readonly isSensitive: (path: string) => boolean;
  readonly redact: (text: string) => string;
}

export function createReviewerBriefs(input: ReviewerBriefsInput): ReviewerBriefs {
  const { isSensitive, redact } = input;
  return {
    async current(depth, signal) {
      const { diff, newFiles } = await readWorkingChanges({ ...input, signal });
      if (diff === "" && newFiles.length === 0) return null;
      return shapeReview({ depth, diff, touchedFiles: newFiles, isSensitive, redact });
    },
  };
}
