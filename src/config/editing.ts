import type { ResolvedConfig } from "./schema.ts";

type Editing = ResolvedConfig["editing"];

export function editingOf(
  { editing, agents }: Pick<ResolvedConfig, "editing" | "agents">,
  name: string,
): Editing {
  return agents[name]?.editing ?? editing;
}

/** Whether any may change them by anchors. */
export function hasAnchoredEditing({ editing, agents }: Pick<ResolvedConfig, "editing" | "agents">): boolean {
  return editing === "anchored" || Object.values(agents).some((override) => override.editing === "anchored");
}
