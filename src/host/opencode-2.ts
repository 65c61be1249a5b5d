import { isRecord, recordOf } from "../lib/json.ts";
import { HOW_TO_GET_SUPPORTED, SUPPORTED_OPENCODE } from "./supported-versions.ts";

/** What the user of OpenCode 2 is told, on the screen and in the slash menu. */
export const NEEDS_OPENCODE_1 = `GAIA is off: opencode-gaia needs OpenCode ${SUPPORTED_OPENCODE}. ${HOW_TO_GET_SUPPORTED}`;

/**
 * What OpenCode 2 calls of a plugin in the place of `server` and `tui` (OPENCODE2.md). It registers one thing: the sentence that
 * says what is needed. OpenCode 1.18.33 calls it as well, with a context in which nothing of that is found. Never throws.
 * @param context by capability, since their names changed between releases
 */
export async function setup(context: unknown): Promise<void> {
  try {
    const { tool, session, command, ui } = recordOf(context);
    if (isRecord(tool) && isRecord(session)) await sayInMenu(recordOf(command));
    if (isScreen(ui))
      ui.toast({ variant: "warning", title: "GAIA", message: NEEDS_OPENCODE_1, duration: 15_000 });
  } catch {
    // A plugin that cannot say what it needs must not break the start of another OpenCode.
  }
}

async function sayInMenu({ transform }: Record<string, unknown>): Promise<void> {
  if (typeof transform !== "function") return;
  await (transform as (change: (commands: unknown) => void) => unknown)((commands) => {
    const { add } = recordOf(commands);
    const entry = { name: "gaia", description: NEEDS_OPENCODE_1, execute: () => NEEDS_OPENCODE_1 };
    if (typeof add === "function") (add as (entry: object) => unknown).call(commands, entry);
  });
}

/** A terminal of OpenCode 2: that of OpenCode 1 has no `slot`. */
function isScreen(ui: unknown): ui is { toast(this: void, toast: object): unknown } {
  return isRecord(ui) && typeof ui["slot"] === "function" && typeof ui["toast"] === "function";
}
