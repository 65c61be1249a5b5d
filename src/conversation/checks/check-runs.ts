import { renderLogMarkdown, renderSummaryLine } from "../../checks/definition-of-done/render.ts";
import { failingChecks } from "../../checks/definition-of-done/report.ts";
import type { Verification, Verifier } from "../../checks/verifier.ts";
import type { Host } from "../../host/port.ts";
import { describeError } from "../../lib/error.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Conversation } from "../conversation.ts";
import { runChecks } from "./run-checks.ts";

/** Runs of the checks that a user asked for, beside whatever the conversation does. */
export interface CheckRuns {
  /** @returns false when one runs already for this conversation */
  start(conversation: Conversation, scope: string | undefined): boolean;
  /** Ends what still runs, and all that it started. */
  dispose(): void;
}

/** What the runs need. */
export interface CheckRunsInput {
  readonly host: Host;
  readonly verifier: Verifier;
  readonly workspace: Workspace;
}

export function createCheckRuns({ host, verifier, workspace }: CheckRunsInput): CheckRuns {
  const running = new Map<string, AbortController>();

  const run = async (
    conversation: Conversation,
    scope: string | undefined,
    signal: AbortSignal,
  ): Promise<void> => {
    const { rootId } = conversation;
    const active = await workspace.activeWorkUnit();
    const unit = active.ok ? active.slug : null;
    const verification = await runChecks(verifier, { conversation, rootId, unit, scope, by: "user", signal });
    // What follows is only the telling: anyone who sees the result may ask again.
    running.delete(rootId);
    const { text, variant, forModel } = tell(verification);
    await host.toast(variant, text.split("\n")[0]?.replaceAll("**", "") ?? "");
    conversation.outbox.note(text);
    if (forModel !== null) conversation.tell(forModel);
    // Inside a turn the note waits for its end.
    if (!conversation.busy) await conversation.outbox.flush();
  };

  return {
    start(conversation, scope) {
      if (running.has(conversation.rootId)) return false;
      const controller = new AbortController();
      running.set(conversation.rootId, controller);
      run(conversation, scope, controller.signal).catch((error: unknown) => {
        running.delete(conversation.rootId);
        host.logger.log("warn", "check-runs", describeError(error));
      });
      return true;
    },
    dispose() {
      for (const controller of running.values()) controller.abort();
    },
  };
}

/** What the user reads, and what the model is told with the user's next message. */
function tell(verification: Verification): {
  text: string;
  variant: "success" | "warning" | "error";
  forModel: string | null;
} {
  if (verification.kind === "broken") {
    return { text: `Nothing was checked. ${verification.problem}`, variant: "error", forModel: null };
  }
  if (verification.kind === "none") {
    const { suggestions } = verification;
    const found = suggestions.map((command) => `- ${command}`).join("\n");
    const ways =
      suggestions.length === 0 ? "" : ` This project seems to have:\n${found}\n/gaia-init sets them up.`;
    return {
      text: `Nothing was checked: no Definition of Done is configured.${ways}`,
      variant: "warning",
      forModel: null,
    };
  }
  const { report } = verification;
  const failing = failingChecks(report);
  const summary = renderSummaryLine(report);
  return {
    text: renderLogMarkdown(report).trimEnd(),
    variant: report.passed ? "success" : "warning",
    forModel: `The user ran /gaia-check. ${summary}${failing.length === 0 ? "" : "; plan_gaia verify shows the output"}.`,
  };
}
