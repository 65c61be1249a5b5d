import { nameOf } from "../agents/registry.ts";
import { modelView } from "../checks/definition-of-done/render.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { ToolCall } from "../host/port.ts";
import { refuse } from "../lib/refusal.ts";
import type { Runtime } from "../runtime.ts";
import { settleChangedChecks, showEvidence } from "./plan-evidence.ts";

/** Runs the project's checks in the host and writes what they said into the log of the conversation's unit (SPEC 11). */
export async function verify(
  runtime: Runtime,
  conversation: Conversation | null,
  scope: string | undefined,
  call: ToolCall,
): Promise<object> {
  const { verifier } = runtime;
  const unit = conversation?.state.workUnit ?? null;
  if (conversation !== null) await settleChangedChecks({ runtime, conversation, call, unit });
  const options = { scope, by: "gaia", signal: call.abort } as const;
  const verification =
    conversation === null
      ? await verifier.open().verify(options)
      : await conversation.parts.checks.run(conversation.state.workUnit, options);
  if (verification.kind === "broken") return refuse(verification.problem, "Tell the user.");
  const shown =
    conversation === null || unit === null ? {} : await showEvidence({ runtime, conversation, call, unit });
  if (verification.kind === "none") {
    return refuse(
      "No Definition of Done is configured.",
      `Ask the user which checks to put into .gaia/config.jsonc as definitionOfDone; run them through ${nameOf("checker")} now.`,
      { suggestions: verification.suggestions, ...shown },
    );
  }
  const { report, next } = verification;
  return { ok: report.passed, report: modelView(report), next, ...shown };
}
