import { excerpt } from "../../lib/excerpt.ts";
import type { Visibility } from "../../config/knobs.ts";

const MAX_LINE = 140;
/** What went wrong stands at the end of such a line. */
const MAX_END = 280;

export type Activity =
  | {
      readonly kind: "tool";
      readonly agent: string;
      readonly tool: string;
      readonly target: string;
      readonly failed: boolean;
      readonly added?: number;
      readonly removed?: number;
      /** null when the command did not end by itself. */
      readonly exitCode?: number | null;
    }
  | { readonly kind: "begun"; readonly agent: string }
  /** A delegation is over. `isLoud`: it did not go well, and nobody knows that yet. */
  | { readonly kind: "ended"; readonly line: string; readonly isLoud: boolean; readonly tone: Tone }
  | { readonly kind: "refused"; readonly line: string; readonly isLoud: boolean }
  | { readonly kind: "wave"; readonly wave: string }
  | { readonly kind: "milestone"; readonly text: string };

type Tone = "info" | "warning" | "error";

/** Which kinds each visibility shows (SPEC 8, "Visibility"); what went wrong is shown in each. */
const SHOWN: Readonly<Record<Visibility, readonly Activity["kind"][]>> = {
  live: ["tool", "begun", "ended", "wave", "milestone"],
  checkpoint: ["ended", "wave", "milestone"],
  quiet: ["milestone"],
};

export interface ShownActivity {
  readonly line: string;
  readonly inTranscript: boolean;
  /** Whether it stays in a note that has too many lines. */
  readonly isKept: boolean;
  /** null for no toast. */
  readonly toast: Tone | null;
}

export function renderActivity(activity: Activity, visibility: Visibility): ShownActivity | null {
  const isWrong = activity.kind === "refused" || (activity.kind === "ended" && activity.tone !== "info");
  if (!isWrong && !SHOWN[visibility].includes(activity.kind)) return null;
  const isKept = activity.kind === "ended" || activity.kind === "refused";
  return {
    line: excerpt(lineOf(activity), isKept ? MAX_END : MAX_LINE),
    isKept,
    // The row of its call stands there already.
    inTranscript: activity.kind !== "begun",
    toast: toastOf(activity, visibility),
  };
}

function toastOf(activity: Activity, visibility: Visibility): Tone | null {
  if (activity.kind === "refused") return activity.isLoud ? "warning" : null;
  if (activity.kind !== "ended") return "info";
  if (activity.tone === "info") return visibility === "live" ? "info" : null;
  return activity.isLoud ? activity.tone : null;
}

function lineOf(activity: Activity): string {
  switch (activity.kind) {
    case "tool":
      return toolLine(activity);
    case "begun":
      return `${activity.agent} started`;
    case "ended":
    case "refused":
      return activity.line;
    case "wave":
      return `Wave ${activity.wave} completed`;
    case "milestone":
      return activity.text;
  }
}

function toolLine(activity: Extract<Activity, { kind: "tool" }>): string {
  const { agent, tool, failed, added = 0, removed = 0, exitCode } = activity;
  const lines = added + removed > 0 ? ` +${added} −${removed}` : "";
  const exit = exitCode === undefined || exitCode === null ? "" : ` → exit ${exitCode}`;
  // The end of the line says how it went, so a long target is cut and not the line.
  const target = activity.target === "" ? "" : ` ${excerpt(activity.target, 80)}`;
  return `${agent} · ${tool}${target}${lines}${exit}${failed ? " failed" : ""}`;
}
