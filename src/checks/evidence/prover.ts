import type { SandboxConfig } from "../../config/sandbox.ts";
import type { Clock } from "../../lib/clock.ts";
import { describeError } from "../../lib/error.ts";
import type { Containment } from "../../sandbox/port.ts";
import type { Examination } from "../../policy/examination.ts";
import type { JudgeCommand } from "../../policy/load-exit-code.ts";
import type { FilesNow, Vcs } from "../../vcs/port.ts";
import { runCheck } from "../definition-of-done/check.ts";
import { partOfOutput } from "../definition-of-done/render.ts";
import type { CheckReport } from "../definition-of-done/report.ts";
import { endOf, type Known } from "./claims.ts";
import { decideRun, type RunFacts } from "./decide-run.ts";
import { type Evidence, keyOf } from "./evidence.ts";
import type { Ledger } from "./ledger.ts";
import type { Pins } from "./pins.ts";
import { lostTests, ranOf } from "./lost-tests.ts";
import { RAN_NONE } from "./ran-nothing.ts";
import { treeOfRun } from "./tree-of-run.ts";

/** One command of a plan may take as long as a check by default, and all of one request together. */
const COMMAND_SECONDS = 300;
const MAX_TOGETHER_MS = 900_000;
/** What is kept of the outputs of commands, for the one who is to fix what they found. */
const MAX_OUTPUTS = 60;
const MAX_OUTPUT = 1_500;

export interface ProverInput {
  readonly directory: string;
  readonly vcs: Pick<Vcs, "fingerprint" | "filesNow">;
  readonly clock: Clock;
  readonly timeOfDay: Clock;
  readonly redact: (text: string) => string;
  readonly ledger: Ledger;
  readonly pins: Pins;
  readonly sandbox: SandboxConfig;
  /** Loaded at the first command that needs it. */
  containment(): Promise<Containment>;
  /** Runs a command that nothing contains, and that may leave something at work. */
  freely?: (<T>(run: () => Promise<T>) => Promise<T>) | undefined;
  examine(command: string): Promise<Examination>;
  readonly judge: JudgeCommand;
}

/** How a command ended; `unknown` where its end proves nothing, or it was not run, and why. */
export interface Look {
  readonly end: "passed" | "failed" | "unknown";
  readonly why: string;
}

/** Runs the commands by which a plan says that it is done, and keeps what it saw (SPEC 2.9). */
export interface Prover {
  /** What is known of a command, with nothing run. */
  known(unit: string | null, command: string): Promise<Known>;
  /**
   * Runs the commands that are not proven on the files as they are now, each once and one after the other; those that prove
   * nothing or must not run are left out. A pass is reused while the files are the same.
   */
  prove(
    unit: string | null,
    commands: readonly string[],
    facts: RunFacts & { readonly signal: AbortSignal },
  ): Promise<void>;
  /**
   * How a command ends on the files as they are now.
   * @param seen how the host saw it end on them already; else it is run, as far as it may be
   */
  look(
    unit: string | null,
    command: string,
    seen: "passed" | "failed" | null,
    facts: RunFacts & { readonly signal: AbortSignal },
  ): Promise<Look>;
  /** The end of what a command said when it last ran in this process; empty where it did not. */
  output(command: string): string;
  /** Fingerprint of the files as they are now. */
  tree(signal?: AbortSignal): Promise<string | null>;
}

/**
 * What a report says, as evidence about the files that it was seen on.
 * @param before what was seen of the same command: of tests the most that ever ran is remembered
 */
export function evidenceOf(
  report: CheckReport,
  key: string,
  { tree, at }: Pick<Evidence, "tree" | "at">,
  before?: Pick<Evidence, "ran" | "skipped">,
): Evidence {
  const { command, status, exit_code, duration_ms, tests } = report;
  const now = ranOf(report);
  const ran = now === undefined ? before?.ran : Math.max(now, before?.ran ?? 0);
  // Of what is held to have lost some, the fewest that were left out are remembered as well.
  const known = before?.ran === undefined ? Infinity : (before.skipped ?? 0);
  const skipped = Math.min(tests?.skipped ?? 0, known);
  const seen = { key, command, status, exit_code, duration_ms, tree, at };
  return ran === undefined ? seen : { ...seen, ran, ...(skipped === 0 ? {} : { skipped }) };
}

export function createProver(input: ProverInput): Prover {
  const { directory, vcs, clock, timeOfDay, redact, ledger, sandbox, pins } = input;
  /** Why a command was not run when it last should have been. */
  const refused = new Map<string, string>();
  const outputs = new Map<string, string>();

  const containFor = async (
    need: "never" | "if-possible" | "only",
    isLocked: boolean,
  ): Promise<
    { contain?: (command: string, folder: string) => Promise<readonly [string, ...string[]]> } | string
  > => {
    if (sandbox.mode === "machine") return {};
    if (sandbox.mode !== "on" && (need === "never" || (sandbox.mode === "off" && need !== "only"))) return {};
    if (sandbox.mode === "off") return "it would have to run contained (sandbox: off)";
    const containment = await input.containment();
    const state = await containment.ready();
    if (state.kind === "unavailable") {
      return sandbox.mode === "on" || need === "only" ? `it would have to run contained: ${state.why}` : {};
    }
    const project = isLocked ? "read" : "write";
    return {
      contain: async (command, folder) =>
        containment.command(
          { project, network: sandbox.network && !isLocked, caches: true },
          folder,
          command,
        ),
    };
  };

  /** Why the success of a command would prove nothing, by its text; what its setting makes of a check is for the user to say. */
  const judge = async (command: string): Promise<{ hollow: string | null; canPass: boolean }> => {
    const { hollow, steered, canPass } = await input.judge(command);
    const isMeant = steered !== null && (await input.examine(command)).isCheck;
    return { hollow: hollow ?? (isMeant ? null : steered), canPass };
  };

  /** @param before the files as they are @returns them as it left them, and whether it passed and changed some on the way */
  const runOne = async (
    unit: string | null,
    command: string,
    before: FilesNow | null,
    { signal, ...facts }: RunFacts & { readonly signal: AbortSignal },
  ): Promise<{ readonly files: FilesNow | null; readonly wrote: boolean }> => {
    const key = keyOf(command);
    let files = before;
    const refuseToCount = (why: string) => {
      refused.set(key, why);
      return { files, wrote: false };
    };
    const decision = decideRun(await input.examine(command), facts);
    const how = decision.kind === "run" ? await containFor(decision.contained, facts.isLocked) : decision.why;
    if (typeof how === "string") return refuseToCount(how);
    refused.delete(key);
    const check = { id: "verify", command, scope: "full", timeoutSeconds: COMMAND_SECONDS } as const;
    const run = async (): Promise<CheckReport> =>
      runCheck(check, { directory, signal, clock, redact, ...how });
    const { freely } = input;
    const report = await (how.contain !== undefined || freely === undefined ? run() : freely(run));
    files = await vcs.filesNow(signal);
    if (report.status === "cancelled") return { files, wrote: false };
    outputs.delete(key);
    outputs.set(key, [report.detail ?? "", partOfOutput(report, MAX_OUTPUT)].filter(Boolean).join("\n"));
    if (outputs.size > MAX_OUTPUTS) outputs.delete([...outputs.keys()][0] ?? "");
    const { tree, written } = treeOfRun(before, files);
    if (report.status === "passed" && ranOf(report) === 0) return refuseToCount(RAN_NONE);
    const seen = (await ledger.of(unit)).evidence.find((each) => each.key === key);
    const lost = lostTests(seen, report);
    if (lost !== null) return refuseToCount(lost);
    const at = new Date(timeOfDay.now()).toISOString();
    await ledger.add(unit, [evidenceOf(report, key, { tree, at }, seen)]);
    return { files, wrote: report.status === "passed" && written.length > 0 };
  };
  /** @returns whether one that passed changed files, so that those before it say nothing about what is there now */
  const runAll = async (
    unit: string | null,
    commands: ReadonlySet<string>,
    end: number,
    facts: RunFacts & { readonly signal: AbortSignal },
  ): Promise<boolean> => {
    let hasWritten = false;
    // What one command left, the next begins with: whatever else changes meanwhile is seen behind that one.
    let files: FilesNow | null | undefined;
    for (const command of commands) {
      if (facts.signal.aborted) return false;
      if ((await judge(command)).hollow !== null) continue;
      await pins.pin(unit, [{ command }]);
      files ??= await vcs.filesNow(facts.signal);
      const seen = await ledger.latest(unit, keyOf(command));
      if (files !== null && seen?.status === "passed" && seen.tree === files.fingerprint) {
        // The user may have let it count since.
        refused.delete(keyOf(command));
        continue;
      }
      if (clock.now() > end) {
        refused.set(keyOf(command), "there was no time left for it");
        continue;
      }
      const ran = await runOne(unit, command, files, facts).catch((error: unknown) => {
        refused.set(keyOf(command), describeError(error));
        return { files: undefined, wrote: false };
      });
      ({ files } = ran);
      hasWritten ||= ran.wrote;
    }
    return hasWritten;
  };

  const prover: Prover = {
    tree: async (signal) => vcs.fingerprint(signal),
    output: (command) => outputs.get(keyOf(command)) ?? "",
    async look(unit, command, seen, facts) {
      const { hollow, canPass } = await judge(command);
      const nothing = hollow ?? (canPass ? null : "it fails whatever there is");
      if (nothing !== null) return { end: "unknown", why: nothing };
      await pins.pin(unit, [{ command }]);
      const changed = await pins.changed(unit, command);
      if (seen !== null && changed === null) return { end: seen, why: "" };
      if (changed === null) await prover.prove(unit, [command], facts);
      const { evidence, objection } = await prover.known(unit, command);
      if (objection !== null) return { end: "unknown", why: objection };
      const end = evidence?.status;
      return end === "passed" || end === "failed"
        ? { end, why: "" }
        : {
            end: "unknown",
            why: evidence === null ? "it did not run" : `it says nothing: ${endOf(evidence)}`,
          };
    },
    async known(unit, command) {
      const key = keyOf(command);
      const { hollow } = await judge(command);
      const [evidence, changed] = [await ledger.latest(unit, key), await pins.changed(unit, command)];
      const isEmpty = evidence?.status === "passed" && evidence.ran === 0;
      return { evidence, objection: hollow ?? changed ?? refused.get(key) ?? (isEmpty ? RAN_NONE : null) };
    },
    async prove(unit, commands, facts) {
      const end = clock.now() + MAX_TOGETHER_MS;
      const all = new Set(commands);
      // A formatter that is a check leaves other files than those that were looked at.
      if (await runAll(unit, all, end, facts)) await runAll(unit, all, end, facts);
    },
  };
  return prover;
}
