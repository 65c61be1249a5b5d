import {
  renderLogMarkdown,
  renderSummaryLine,
  renderPacketLines,
} from "../../checks/definition-of-done/render.ts";
import { failingChecks } from "../../checks/definition-of-done/report.ts";
import type { ChangedCheck } from "../../checks/evidence/own-files.ts";
import type { Verification, VerifyOptions } from "../../checks/verifier.ts";
import { describeError } from "../../lib/error.ts";
import type { ConversationCore } from "../core.ts";
import { panelCheck } from "../display/panel-snapshot.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import { createBaselineRuns } from "./baseline.ts";
import { createEvidence } from "./evidence.ts";

export type Checks = ReturnType<typeof createChecks>;

/** The project's checks, the claims of its plans, and what of both was proven for this conversation (SPEC 11). */
export function createChecks(
  conversation: ConversationCore,
  services: ConversationServices,
  isWrittenHere: Parameters<typeof createEvidence>[2],
) {
  const { host, verifier, planEvidence, clock, treeOf } = services;
  const evidence = createEvidence(conversation, services, isWrittenHere);
  const proofs = verifier.open();
  const baselines = createBaselineRuns(conversation, proofs, verifier, evidence.measure, clock);
  let running: AbortController | null = null;
  /** By unit, the files of the newest verification in its log, where it passed. */
  const logged = new Map<string | null, string | null>();

  /**
   * Runs the Definition of Done with everything that follows: the entry in the unit's log and, where GAIA asked for it, the
   * lines of the next check-in and the end of the pipeline when nothing moves any more.
   * @param unit the work unit that is proven by it
   */
  const run = async (unit: string | null, options: VerifyOptions): Promise<Verification> => {
    const isLocked = conversation.state.knobs.mode === "locked";
    const verification = await proofs.verify({ ...options, isLocked, unit });
    if (verification.kind !== "ran") return verification;
    const { report, next, tree } = verification;
    if (!report.cancelled) conversation.learn({ check: panelCheck(report) });
    const isHers = options.by === "gaia";
    // What passed before on the very same files stands in the log already.
    const seen = [report.scope, report.checks.map(({ command }) => command), report.artifacts];
    const passed = report.passed && tree !== null ? JSON.stringify([tree, ...seen]) : null;
    const isKnown = passed !== null && logged.get(unit) === passed;
    logged.set(unit, passed);
    if (isHers ? !isKnown : !report.cancelled)
      await conversation.log("Verification", renderLogMarkdown(report), unit);
    if (!isHers) return verification;
    const lines = renderPacketLines(report);
    conversation.dispatch({ type: "checks-ran", checks: { passed: report.passed, lines } });
    if (!report.passed && !report.cancelled) {
      const [summary, ...failing] = lines;
      const line = `✗ ${failing.length === 0 ? summary : ["Checks do not pass", ...failing].join(" · ")}`;
      conversation.show({ kind: "refused", line, tone: "warning" });
    }
    if (next.kind === "blocked" && !report.cancelled) {
      conversation.dispatch({ type: "blocked", reason: `${next.reason}.`, nextStep: next.nextStep });
    }
    return verification;
  };

  const runBeside = async (options: Pick<VerifyOptions, "scope" | "force" | "signal">): Promise<void> => {
    const verification = await run(conversation.state.workUnit, { ...options, by: "user" });
    // What follows is only the telling: anyone who sees the result may ask again.
    running = null;
    const { text, variant, forModel } = tellUser(verification);
    await host.toast(variant, text.split("\n")[0]?.replaceAll("**", "") ?? "");
    conversation.outbox.note(text);
    if (forModel !== null) conversation.tell(forModel);
    await conversation.outbox.flush();
  };

  return {
    ...evidence,
    scopeOfWork: proofs.scopeOfWork,
    standing: proofs.standing,
    /** Commands of the project and of the unit's plan whose own files were changed since the work began; see `Proofs`. */
    async changedChecks(unit: string | null): Promise<readonly ChangedCheck[]> {
      const own = unit === null ? [] : await treeOf(unit).planEvidence.changed(unit);
      const all = [...(await proofs.changedChecks(unit)), ...own];
      return [...new Map(all.map((each) => [`${each.command}\n${each.cwd ?? ""}`, each])).values()];
    },
    async acceptChecks(unit: string | null): Promise<void> {
      await proofs.acceptChecks(unit);
      if (unit !== null) await evidence.acceptPlan(unit);
    },
    before: baselines.before,
    /**
     * A wave of this unit begins: what is changed from here on is its work, and what fails or passes already is looked at.
     * @param tasks ids of the claims that it is to show
     */
    async begin(unit: string, tasks: readonly string[]): Promise<void> {
      // In this order: what a plan shares with the checks is pinned by both alike.
      await planEvidence.pin(unit);
      baselines.begin(unit, tasks);
      await proofs.begin();
    },
    run,
    /** Runs them for the user, beside whatever the conversation does. @returns false when such a run is under way */
    runForUser(scope: string | undefined, force = false): boolean {
      if (running !== null) return false;
      running = new AbortController();
      runBeside({ scope, force, signal: running.signal }).catch((error: unknown) => {
        running = null;
        host.logger.log("warn", "checks", describeError(error));
      });
      return true;
    },
    userSpoke(how) {
      if (how === "go-on" || how === "answer") proofs.forgetAttempts();
    },
    observe(event, isRoot) {
      // Esc ends what runs for the work; a new first change begins it again.
      if (isRoot && event.type === "session.error" && event.failure.reason === "aborted") baselines.stop();
    },
    dispose() {
      baselines.stop();
      running?.abort();
    },
  } satisfies Part & Record<string, unknown>;
}

/** What the user reads, and what the model is told with the user's next message. */
function tellUser(verification: Verification): {
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
