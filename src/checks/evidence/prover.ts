import type { Clock } from "../../lib/clock.ts";
import type { Examination } from "../../policy/examination.ts";
import type { Vcs } from "../../snapshot/vcs.ts";
import type { CheckSession } from "../check-session.ts";
import { runCheck } from "../definition-of-done/check.ts";
import type { AdoptedDefinition } from "../definition-of-done/load.ts";
import type { CheckReport } from "../definition-of-done/report.ts";
import { type HostRuns, type Wanted, refuseCheck } from "../host-runs.ts";
import { excerptOutput } from "../../process/excerpt.ts";
import { describeEnding, type Known } from "./claims.ts";
import { type Evidence, commandKey } from "./evidence.ts";
import type { EvidenceLedger } from "./ledger.ts";
import type { Pins } from "./pins.ts";

/** One command of a plan may take as long as a check by default, and all of one request together. */
const COMMAND_SECONDS = 300;
const MAX_TOGETHER_MS = 900_000;
const MAX_CONCURRENT = 2;
/** What is kept of the outputs of commands, for the one who is to fix what they found. */
const MAX_OUTPUTS = 60;
const MAX_OUTPUT = 1_500;

export interface ProverInput {
  readonly directory: string;
  readonly vcs: Pick<Vcs, "fingerprint">;
  readonly clock: Clock;
  readonly timeOfDay: Clock;
  readonly redact: (text: string) => string;
  readonly ledger: EvidenceLedger;
  readonly pins: Pins;
  readonly hostRuns: HostRuns;
  readonly session: CheckSession;
  /** A command that is a check as well has its report. */
  readonly adopted: AdoptedDefinition;
  examine(command: string): Promise<Pick<Examination, "effect" | "reason" | "secret" | "protectedTarget">>;
}

export interface RunFacts extends Wanted {
  /** Why nothing of it runs: it came with the repository, and nobody has said yes to it. */
  readonly refusal?: string | null;
  readonly signal: AbortSignal;
}

/** How a command ended; `unknown` where its end proves nothing, or it was not run, and why. */
export interface Look {
  readonly end: "passed" | "failed" | "unknown";
  readonly why: string;
}

export interface Measured {
  readonly command: string;
  readonly wave: string;
}

/** Runs the commands by which a plan says that it is done, and keeps what it saw (SPEC 11). */
export interface Prover {
  /** What is known of a command in a wave, with nothing run. */
  known(unit: string | null, measured: Measured): Promise<Known>;
  /**
   * Runs the commands that have not passed on the files as they are now, each once; those that must not run are left out.
   * @returns what is to be told, one sentence each
   */
  prove(unit: string | null, commands: readonly string[], facts: RunFacts): Promise<readonly string[]>;
  /**
   * Runs commands before the work of their wave, as far as that was not done, and notes how they ended.
   * @returns those of them that passed
   */
  measure(unit: string, measured: readonly Measured[], facts: RunFacts): Promise<readonly Measured[]>;
  /** How a command ends on the files as they are now; it is run, as far as it may be. */
  look(unit: string | null, command: string, facts: RunFacts): Promise<Look>;
  /** The end of what a command said when it last ran in this process; empty where it did not. */
  output(command: string): string;
  tree(signal?: AbortSignal): Promise<string | null>;
}

/** What a report says, as evidence about the files that it was seen on. */
export function evidenceOf(
  { command, status, exit_code, duration_ms, tests }: CheckReport,
  key: string,
  { tree, at }: Pick<Evidence, "tree" | "at">,
): Evidence {
  return { key, command, status, exit_code, duration_ms, tree, at, ...countsOf(tests) };
}

/** How many tests ran and were left out, as evidence has it. */
export function countsOf(tests: CheckReport["tests"]): Pick<Evidence, "ran" | "skipped"> {
  return tests === undefined ? {} : { ran: tests.passed + tests.failed, skipped: tests.skipped ?? 0 };
}

export function createProver(input: ProverInput): Prover {
  const { directory, vcs, clock, timeOfDay, redact, ledger, pins, hostRuns, session } = input;
  const refused = new Map<string, string>();
  const outputs = new Map<string, string>();

  const runOne = async (command: string, facts: RunFacts, ended: () => void): Promise<CheckReport | null> => {
    const key = commandKey(command);
    const refusal = refuseCheck(await input.examine(command));
    if (refusal !== null) {
      refused.set(key, `it ${refusal}`);
      return null;
    }
    const { checks = [] } = input.adopted.definition ?? {};
    const file = checks.find((each) => commandKey(each.command, each.cwd) === key)?.report;
    const own = { id: "verify", command, scope: "full", timeoutSeconds: COMMAND_SECONDS } as const;
    const check = file === undefined ? own : { ...own, report: file };
    const program = hostRuns.programs(facts);
    const seen = await runCheck(check, { directory, signal: facts.signal, clock, redact, program, ended });
    // A report that names no test shows none.
    const report = file === undefined ? seen : { tests: { passed: 0, failed: 0 }, ...seen };
    if (report.status === "error") refused.set(key, report.detail ?? "it could not be started");
    if (report.status === "error" || report.status === "cancelled") return null;
    refused.delete(key);
    outputs.delete(key);
    const said = excerptOutput(report.output_tail, { maxCharacters: MAX_OUTPUT });
    outputs.set(key, [report.detail ?? "", said].filter(Boolean).join("\n"));
    if (outputs.size > MAX_OUTPUTS) outputs.delete([...outputs.keys()][0] ?? "");
    return report;
  };
  const runAll = async (commands: readonly string[], facts: RunFacts, ended: () => void) => {
    const end = clock.now() + MAX_TOGETHER_MS;
    const waiting = commands.values();
    const reports: (readonly [key: string, CheckReport])[] = [];
    const work = async (): Promise<void> => {
      for (const command of waiting) {
        if (facts.signal.aborted) return;
        const isLate = clock.now() > end;
        if (isLate) refused.set(commandKey(command), "there was no time left for it");
        const report = isLate ? null : await runOne(command, facts, ended);
        if (report !== null) reports.push([commandKey(command), report]);
      }
    };
    await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT, commands.length) }, work));
    return reports;
  };

  /** @param isKnown what was seen on these files and need not be seen again */
  const run = async (
    unit: string | null,
    commands: readonly string[],
    isKnown: (evidence: Evidence) => boolean,
    facts: RunFacts,
  ): Promise<readonly string[]> => {
    const distinct = [...new Set(commands)];
    const { refusal = null } = facts;
    if (refusal !== null) {
      for (const command of distinct) refused.set(commandKey(command), refusal);
      return [];
    }
    await pins.pin(
      unit,
      distinct.map((command) => ({ command })),
    );
    const tree = distinct.length === 0 ? null : await vcs.fingerprint(facts.signal);
    const waiting: string[] = [];
    for (const command of distinct) {
      const seen = await ledger.latest(unit, commandKey(command));
      const isFresh = seen !== null && tree !== null && seen.tree === tree && isKnown(seen);
      // The user may have let it count since.
      if (isFresh) refused.delete(commandKey(command));
      else waiting.push(command);
    }
    if (waiting.length === 0 || facts.signal.aborted) return [];
    const { signal } = facts;
    const work = async (ended: () => void) =>
      hostRuns.around(facts, [{}], async () => runAll(waiting, facts, ended));
    const ran = await session(work, { commands: waiting, signal });
    const at = new Date(timeOfDay.now()).toISOString();
    await ledger.add(
      unit,
      ran.value.map(([key, report]) => evidenceOf(report, key, { tree: ran.tree, at })),
    );
    return ran.notes;
  };
  const hasPassed = ({ status }: Evidence): boolean => status === "passed";

  const prover: Prover = {
    tree: async (signal) => vcs.fingerprint(signal),
    output: (command) => outputs.get(commandKey(command)) ?? "",
    prove: async (unit, commands, facts) => run(unit, commands, hasPassed, facts),
    async measure(unit, measured, facts) {
      const { before } = await ledger.of(unit);
      const missing = measured.filter(
        ({ command, wave }) => !before.some((each) => each.key === commandKey(command) && each.wave === wave),
      );
      const commands = missing.map(({ command }) => command);
      await run(unit, commands, () => true, facts);
      // Red counts only where it repeats on the same files: a command may count its own runs.
      await run(unit, commands, ({ status }) => status !== "failed" && status !== "missing", facts);
      const tree = await vcs.fingerprint(facts.signal);
      const seen = await Promise.all(
        missing.map(async (each) => ({ ...each, seen: await ledger.latest(unit, commandKey(each.command)) })),
      );
      const ends = seen.flatMap(({ seen: end, ...each }) =>
        end !== null && tree !== null && end.tree === tree ? [{ ...each, end }] : [],
      );
      await ledger.addBefore(
        unit,
        ends.map(({ wave, end: { key, status, ran, skipped } }) => {
          return { key, wave, status, ...(ran === undefined ? {} : { ran, skipped }) };
        }),
      );
      return ends.filter(({ end }) => hasPassed(end));
    },
    async look(unit, command, facts) {
      await pins.pin(unit, [{ command }]);
      const { changed } = await prover.known(unit, { command, wave: "" });
      if (changed !== null) return { end: "unknown", why: `${changed.how} since the work began` };
      await prover.prove(unit, [command], facts);
      const { evidence, objection } = await prover.known(unit, { command, wave: "" });
      if (objection !== null) return { end: "unknown", why: objection };
      const end = evidence?.status;
      if (end === "passed" || end === "failed") return { end, why: "" };
      const why = evidence === null ? "it did not run" : `it says nothing: ${describeEnding(evidence)}`;
      return { end: "unknown", why };
    },
    async known(unit, { command, wave }) {
      const key = commandKey(command);
      const { before } = await ledger.of(unit);
      const [changed = null] = await pins.listChanged(unit, [{ command }]);
      return {
        evidence: await ledger.latest(unit, key),
        before: before.find((each) => each.key === key && each.wave === wave) ?? null,
        changed,
        objection: refused.get(key) ?? null,
      };
    },
  };
  return prover;
}
