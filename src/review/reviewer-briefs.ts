import { type DiffDepth, shapeReview } from "./review-depth.ts";
import { excerpt } from "../lib/excerpt.ts";
import type { Vcs } from "../vcs/port.ts";

/** The project's current changes, shaped for their reviewer: the one place that tools and commands ask. */
export type ReviewerBriefs = ReturnType<typeof createReviewerBriefs>;

/** Which of the uncommitted changes are the work that is reviewed. */
export interface ReviewedWork {
  /** Files that are shown as they differ from the commit. */
  readonly paths: readonly string[];
  /** The diff of others, made elsewhere. */
  readonly diffs: string;
  /** Files of the user's own, which are no part of it. */
  readonly leftOut: readonly string[];
  /** Files in which the user has changed something meanwhile. */
  readonly also: readonly string[];
}

const MAX_NAMES = 300;
const MAX_WORDS = 300;
const UNTOLD = "Version control does not tell all of what was changed";

export interface ReviewerBriefsInput {
  readonly vcs: Vcs;
  /** Whether no model may see the content of a file, by its path relative to the project (SPEC 9). */
  readonly isSensitive: (path: string) => boolean;
  readonly redact: (text: string) => string;
}

export function createReviewerBriefs({ vcs, isSensitive, redact }: ReviewerBriefsInput) {
  return {
    /**
     * @param work what of it is reviewed; all of it by default
     * @param base what the files are compared with; the newest commit by default
     * @returns null when nothing is changed since then
     * @throws nothing; what version control does not tell within its time is missing from the brief
     */
    async current(
      depth: DiffDepth,
      signal?: AbortSignal,
      work: ReviewedWork | null = null,
      base?: string,
    ): Promise<string | null> {
      const {
        diff,
        newFiles,
        manyFiles = [],
        failed,
      } = await vcs.workingDiff(isSensitive, signal, work?.paths, base);
      const whole = diff + (work?.diffs ?? "");
      const untold =
        failed === undefined
          ? []
          : [`${UNTOLD} (${excerpt(redact(failed), MAX_WORDS)}): read the files yourself.`];
      if (whole === "" && newFiles.length === 0) return untold[0] ?? null;
      const touchedFiles = [...newFiles, ...manyFiles];
      const brief = shapeReview({ depth, diff: whole, touchedFiles, isSensitive, redact });
      return [
        ...untold,
        ...named("The user's own uncommitted files are no part of it", work?.leftOut),
        ...named("The user has changed these meanwhile as well", work?.also),
        brief,
      ].join("\n\n");
    },
  };
}

function named(what: string, paths: readonly string[] = []): string[] {
  return paths.length === 0 ? [] : [`${what}: ${excerpt(paths.join(", "), MAX_NAMES)}.`];
}
