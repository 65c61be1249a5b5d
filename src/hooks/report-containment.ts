import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/** Looks whether a command really ran contained, and says what it lacked; of all others it says nothing. */
export function createReportContainmentHook({ supervision }: Runtime): HookDefinition {
  return defineHook({
    id: "report-containment",
    event: "after-tool",
    why: "after hide-secrets, whose words it keeps; before report-tools, after which the call is forgotten",
    onFailure: "open",
    run({ callId, effect, outcome, setText }) {
      if (effect.kind !== "command") return;
      const lines = supervision.contained.finish(callId, outcome);
      if (lines.length > 0) setText([outcome.text ?? "", ...lines].join("\n\n"));
    },
  });
}
