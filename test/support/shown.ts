import type { OpenCodeEvent } from "./opencode-server.ts";
import { PANEL_KEY } from "../../src/conversation/display/metadata-keys.ts";
import { recordOf, textOf } from "../../src/lib/json.ts";

/** Operations of tools, arguments, and words to a model: nothing that a person could do anything with. */
const FOR_MODELS = [
  /\b(?:plan|recall)_gaia (?:run|verify|with|op|search|remember)\b/u,
  /\b(?:create_work_unit|read_work_unit|list_work_units|set_active|update_plan|append_[a-z]+|open_wave|complete_wave|request_approval|archive_work_unit)\b/u,
  /\b(?:rows_markdown|wave_id|work_unit|task_ids?|session_id|context_aids|new_name)\b|\breplace: true\b/u,
  /\bmark it\b|(?<!\bfrom )\bthe user\b|\byour contract\b|\b(?:ask|call) again\b|\bend your turn\b/iu,
];

/** What of a text that a user sees was meant for a model; null for nothing. */
export function wordsForModels(text: string): string | null {
  return FOR_MODELS.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined) ?? null;
}

/** Everything that a user was shown: toasts, notes in the transcript, dialogs and the panel, each once. */
export function shownTo(events: readonly OpenCodeEvent[]): string[] {
  return [...new Set(events.flatMap(textsOf))].filter((text) => text !== "");
}

function textsOf({ type, properties }: OpenCodeEvent): string[] {
  const part = recordOf(properties["part"]);
  switch (type) {
    case "tui.toast.show":
      return [textOf(properties["message"]) ?? ""];
    case "message.part.updated":
      // What no model reads was written for the user.
      return part["type"] === "text" && part["ignored"] === true ? [textOf(part["text"]) ?? ""] : [];
    case "permission.asked":
      return [textOf(properties["permission"]) ?? ""].filter((name) => name.includes(" "));
    case "session.updated": {
      const { [PANEL_KEY]: panel } = recordOf(recordOf(properties["info"])["metadata"]);
      const { told, tasks, check, status, wait, checkin } = recordOf(panel);
      return [
        ...leaves(told),
        ...leaves(tasks),
        ...leaves(check),
        ...leaves(status),
        ...leaves(wait),
        ...leaves(checkin),
      ];
    }
    default:
      return [];
  }
}

/** All texts in a value. */
function leaves(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(leaves);
  return Object.values(recordOf(value)).flatMap(leaves);
}
