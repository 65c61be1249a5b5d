import { type ReviewDepth, shapeReview } from "./review-depth.ts";
import type { Vcs } from "../vcs/port.ts";

/** The project's current changes, shaped for their reviewer: the one place that tools and commands ask. */
export type ReviewerBriefs = ReturnType<typeof createReviewerBriefs>;

export interface ReviewerBriefsInput {
  readonly vcs: Vcs;
  /** Whether no model may see the content of a file, by its path relative to the project (SPEC 9). */
  readonly isSensitive: (path: string) => boolean;
  readonly redact: (text: string) => string;
}

export function createReviewerBriefs({ vcs, isSensitive, redact }: ReviewerBriefsInput) {
  return {
    /**
     * @returns null when nothing is changed since the newest commit
     * @throws nothing; what version control does not tell within its time is missing from the brief
     */
    async current(depth: ReviewDepth, signal?: AbortSignal): Promise<string | null> {
      const { diff, newFiles } = await vcs.workingDiff(isSensitive, signal);
      if (diff === "" && newFiles.length === 0) return null;
      return shapeReview({ depth, diff, touchedFiles: newFiles, isSensitive, redact });
    },
  };
}
