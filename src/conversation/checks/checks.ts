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
import { panelCheck, type PanelCheck } from "../display/panel-snapshot.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import { createBaselineRuns } from "./baseline.ts";
import { createEvidence } from "./evidence.ts";

export type Checks = ReturnType<typeof createChecks>;

/** The project's checks, the claims of its plans, and their proofs in this conversation (SPEC 11). */
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
  const check = conversation.remember<PanelCheck | null>("checks", null);
  /** The tree of the newest logged verification of each unit; null where it did not pass. */
  const logged = new Map<string | null, string | null>();

  /**
   * Runs the Definition of Done and logs it for the unit. Where GAIA asked for it, the next check-in tells it, and the pipeline ends
   * where repeated attempts change nothing.
   * @param unit the work unit that it proves
   */
  const run = async (unit: string | null, options: VerifyOptions): Promise<Verification> => {
    const isLocked = conversation.state.knobs.mode === "locked";
    // What failed before the work is known only then.
    if (options.by === "gaia") await baselines.before(unit, options.signal, false);
    const verification = await proofs.verify({ ...options, isLocked, unit });
    if (verification.kind !== "ran") return verification;
    const { report, next, tree } = verification;
    if (!report.cancelled) check.now = panelCheck(report);
    const isGaias = options.by === "gaia";
    // A pass on the same files is in the log already.
    const seen = [report.scope, report.checks.map(({ command }) => command), report.artifacts];
    const passed = report.passed && tree !== null ? JSON.stringify([tree, ...seen]) : null;
    const isKnown = passed !== null && logged.get(unit) === passed;
    logged.set(unit, passed);
    if (isGaias ? !isKnown : !report.cancelled)
      await conversation.log("Verification", renderLogMarkdown(report), unit);
    if (!isGaias) return verification;
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
    // Only reporting follows: the user may ask again.
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
    /** A wave of this unit begins: later changes are its work. Starts the baseline run. @param tasks ids of the claims of the wave */
    async begin(unit: string, tasks: readonly string[]): Promise<void> {
      // In this order: a command of both is pinned alike.
      await planEvidence.pin(unit);
      baselines.begin(unit, tasks);
      await proofs.begin();
    },
    run,
    /** Runs them for the user, in the background. @returns false while such a run is under way */
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
      // Esc stops the baseline run; the next first change starts it again.
      if (isRoot && event.type === "session.error" && event.failure.reason === "aborted") baselines.stop();
    },
    shown: () => ({ check: check.now }),
    dispose() {
      baselines.stop();
      running?.abort();
    },
  } satisfies Part & Record<string, unknown>;
}

/** The report for the user, and the line for the model with the user's next message. */
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
