import { excerpt } from "../../lib/text.ts";
import type { Visibility } from "../../config/knobs.ts";

const MAX_LINE = 140;
/** What went wrong stands at the end of such a line. */
const MAX_END = 280;

/** Something that happened, in one line. */
export interface Activity {
  readonly kind: "tool" | "begun" | "ended" | "refused" | "wave" | "milestone";
  readonly line: string;
  /** Anything but `info`, the default, went wrong. */
  readonly tone?: "info" | "warning" | "error";
  /** Nobody knows yet that it went wrong. */
  readonly isLoud?: boolean;
}

/** Which kinds each visibility shows (SPEC 8, "Visibility"); what went wrong is shown in each. */
const SHOWN: Readonly<Record<Visibility, readonly Activity["kind"][]>> = {
  live: ["tool", "begun", "ended", "wave", "milestone"],
  checkpoint: ["ended", "wave", "milestone"],
  quiet: ["milestone"],
};

export type ShownActivity = NonNullable<ReturnType<typeof renderActivity>>;

export function renderActivity(
  { kind, line, tone = "info", isLoud = false }: Activity,
  visibility: Visibility,
) {
  const isWrong = tone !== "info";
  if (!isWrong && !SHOWN[visibility].includes(kind)) return null;
  const isKept = kind === "ended" || kind === "refused";
  const isToasted = isWrong ? isLoud : kind !== "ended" || visibility === "live";
  return {
    line: excerpt(line, isKept ? MAX_END : MAX_LINE),
    /** Whether it stays in a note that has too many lines. */
    isKept,
    // The row of its call stands there already.
    inTranscript: kind !== "begun",
    toast: isToasted ? tone : null,
  };
}
