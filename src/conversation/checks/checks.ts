import { renderLogMarkdown, renderPacketLines } from "../../checks/definition-of-done/render.ts";
import type { Proofs, Verification, VerifyOptions } from "../../checks/verifier.ts";
import { describeError } from "../../lib/error.ts";
import { watched } from "../commits/hidden-history.ts";
import type { ConversationCore } from "../core.ts";
import { panelCheck } from "../display/panel-snapshot.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import { tellUser } from "./tell-user.ts";

/** The project's checks, and what they have proven for this conversation (SPEC 11). */
export interface Checks extends Part, Pick<Proofs, "begin" | "scopeOfWork" | "standing" | "committed"> {
  /**
   * Runs the Definition of Done with everything that follows: the entry in the unit's log and, where GAIA asked for it, the
   * lines of the next check-in and the end of the pipeline when nothing moves any more.
   * @param unit the work unit that is proven by it
   */
  run(unit: string | null, options: VerifyOptions): Promise<Verification>;
  /** Runs them for the user, beside whatever the conversation does. @returns false when such a run is under way */
  runForUser(scope: string | undefined): boolean;
}

export function createChecks(
  conversation: ConversationCore,
  { host, verifier, refs }: Pick<ConversationServices, "host" | "verifier" | "refs">,
): Checks {
  const proofs = verifier.open();
  let running: AbortController | null = null;

  const run: Checks["run"] = async (unit, options) => {
    const isLocked = conversation.state.knobs.mode === "locked";
    const verification = await watched(conversation, refs, "the checks", async () =>
      proofs.verify({ ...options, isLocked }),
    );
    if (verification.kind !== "ran") return verification;
    const { report, next } = verification;
    if (!report.cancelled) conversation.learn({ check: panelCheck(report) });
    const isHers = options.by === "gaia";
    if (isHers || !report.cancelled) await conversation.log("Verification", renderLogMarkdown(report), unit);
    if (!isHers) return verification;
    const lines = renderPacketLines(report);
    conversation.dispatch({ type: "checks-ran", checks: { passed: report.passed, lines } });
    if (next.kind === "blocked" && !report.cancelled) {
      conversation.dispatch({ type: "blocked", reason: `${next.reason}.`, nextStep: next.nextStep });
    }
    return verification;
  };

  const runBeside = async (scope: string | undefined, signal: AbortSignal): Promise<void> => {
    const verification = await run(conversation.state.workUnit, { scope, by: "user", signal });
    // What follows is only the telling: anyone who sees the result may ask again.
    running = null;
    const { text, variant, forModel } = tellUser(verification);
    await host.toast(variant, text.split("\n")[0]?.replaceAll("**", "") ?? "");
    conversation.outbox.note(text);
    if (forModel !== null) conversation.tell(forModel);
    // Inside a turn the note waits for its end.
    if (!conversation.busy) await conversation.outbox.flush();
  };

  return {
    begin: proofs.begin,
    scopeOfWork: proofs.scopeOfWork,
    standing: proofs.standing,
    committed: proofs.committed,
    run,
    runForUser(scope) {
      if (running !== null) return false;
      running = new AbortController();
      runBeside(scope, running.signal).catch((error: unknown) => {
        running = null;
        host.logger.log("warn", "checks", describeError(error));
      });
      return true;
    },
    userSpoke(how) {
      if (how === "go-on" || how === "answer") proofs.forgetAttempts();
    },
    dispose() {
      running?.abort();
    },
  };
}
