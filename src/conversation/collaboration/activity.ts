import { excerpt } from "../../lib/excerpt.ts";
import type { Visibility } from "../../config/knobs.ts";

const MAX_LINE = 140;

/** Something that the user may want to see while it happens. */
export type Activity =
  | {
      readonly kind: "tool";
      readonly agent: string;
      readonly tool: string;
      /** The file or command. */
      readonly target: string;
      readonly failed: boolean;
      readonly added?: number;
      readonly removed?: number;
      /** null when the command did not end by itself. */
      readonly exitCode?: number | null;
    }
  | { readonly kind: "delegation"; readonly agent: string; readonly phase: "started" | "finished" | "failed" }
  | {
      readonly kind: "wave";
      readonly wave: string;
      readonly phase: "opened" | "completed";
      readonly title: string;
    }
  | { readonly kind: "milestone"; readonly text: string };

/** Which kinds each visibility shows (SPEC 8, "Visibility"). */
const SHOWN: Readonly<Record<Visibility, readonly Activity["kind"][]>> = {
  live: ["tool", "delegation", "wave", "milestone"],
  checkpoint: ["wave", "milestone"],
  quiet: ["milestone"],
};

/** One line of at most 140 characters for a toast or a note, or null when this visibility does not show it. */
export function renderActivity(activity: Activity, visibility: Visibility): string | null {
  if (!SHOWN[visibility].includes(activity.kind)) return null;
  return excerpt(lineOf(activity), MAX_LINE);
}

function lineOf(activity: Activity): string {
  switch (activity.kind) {
    case "tool":
      return toolLine(activity);
    case "delegation":
      return `${activity.agent} ${activity.phase}`;
    case "wave":
      return `Wave ${activity.wave} ${activity.phase}${activity.title ? `: ${activity.title}` : ""}`;
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
