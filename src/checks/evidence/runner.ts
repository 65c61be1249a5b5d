import type { CheckDefinition } from "../../config/definition-of-done.ts";
import type { Clock } from "../../lib/async.ts";
import type { Vcs } from "../../snapshot/vcs.ts";
import type { Checked, CheckSession } from "../check-session.ts";
import { runCheck } from "../definition-of-done/check.ts";
import { type CheckReport, notRun } from "../definition-of-done/report.ts";
import type { HostRuns, Wanted } from "../host-runs.ts";
import { commandKey, type Evidence, type EvidenceLedger } from "./evidence.ts";
import type { Known } from "./claims.ts";
import { createPins, type NamedCommand } from "./own-files.ts";

/** A tree in which commands are run, and where it is kept what was seen of them. */
export interface RunnerInput {
  readonly directory: string;
  readonly vcs: Vcs;
  readonly clock: Clock;
  readonly timeOfDay: Clock;
  readonly redact: (text: string) => string;
  readonly ledger: EvidenceLedger;
  readonly hostRuns: HostRuns;
  readonly session: CheckSession;
}

export interface RunFacts extends Wanted {
  readonly signal: AbortSignal;
}

interface Observing<T> {
  readonly facts: RunFacts;
  /** How many run side by side. */
  readonly most: number;
  /** Milliseconds after which none is started any more. */
  readonly limitMs?: number;
  /** Whether a command need not run. @param here what was seen of it on the files as they are now */
  isKnown(check: CheckDefinition, here: Evidence | null): boolean;
  /** Follows the last of them, before what they changed is put back. */
  after(): Promise<T>;
}

export type Runner = ReturnType<typeof createRunner>;

export function keyOf({ command, cwd }: NamedCommand): string {
  return commandKey(command, cwd);
}

/** Runs commands in a tree, and keeps how each ended by the tree id that it was seen on (SPEC 11). */
export function createRunner(input: RunnerInput) {
  const { directory, vcs, clock, timeOfDay, redact, ledger, hostRuns, session } = input;
  const pins = createPins(ledger, directory);

  return {
    ...input,
    pins,
    /** How a command ended last, and whether its own files are what they were when the work began. */
    async known(unit: string | null, check: NamedCommand, before: Known["before"]): Promise<Known> {
      const [changed = null] = await pins.listChanged(unit, [check]);
      return { evidence: await ledger.latest(unit, keyOf(check)), before, changed, objection: null };
    },
    /** Runs each distinct command once, and notes its own files before. @returns how those ended that were not known, by {@link keyOf}; what was not started is an `error` */
    async observe<T>(
      unit: string | null,
      checks: readonly CheckDefinition[],
      { facts, most, limitMs = Infinity, isKnown, after }: Observing<T>,
    ): Promise<Checked<T> & { readonly reports: ReadonlyMap<string, CheckReport> }> {
      const { signal } = facts;
      await pins.pin(unit, checks);
      const now = await vcs.fingerprint(signal);
      const waiting = new Map<string, CheckDefinition>();
      for (const check of checks) {
        const seen = await ledger.latest(unit, keyOf(check));
        const here = seen !== null && now !== null && seen.tree === now ? seen : null;
        if (!isKnown(check, here)) waiting.set(keyOf(check), check);
      }
      const reports = new Map<string, CheckReport>();
      if (waiting.size === 0)
        return { reports, value: await after(), before: now, tree: now, kept: [], notes: [] };
      const wanted = [...waiting.values()];
      const until = clock.now() + limitMs;
      const work = async (ended: () => void): Promise<T> => {
        const queue = waiting.entries();
        const program = hostRuns.programs(facts);
        const next = async (): Promise<void> => {
          for (const [key, check] of queue) {
            const report =
              clock.now() > until
                ? notRun(check, redact, "there was no time left for it")
                : await runCheck(check, { directory, signal, clock, redact, program, ended });
            reports.set(key, report);
          }
        };
        await Promise.all(Array.from({ length: Math.min(most, waiting.size) }, next));
        return after();
      };
      const ran = await session(work, {
        commands: wanted.map(({ command }) => redact(command)),
        writes: wanted.flatMap(({ writes = [] }) => writes),
        signal,
      });
      const at = new Date(timeOfDay.now()).toISOString();
      const touched = new Map(
        (await pins.listChanged(unit, wanted)).map((each) => [keyOf(each), each.names]),
      );
      const seen = [...reports].flatMap(([key, { command, status, exit_code, duration_ms }]): Evidence[] => {
        // What never ran, or not to its end, says nothing of the files.
        if (status === "error" || status === "cancelled") return [];
        const changed = touched.get(key) ?? [];
        return [{ key, command, status, exit_code, duration_ms, tree: ran.tree, at, changed }];
      });
      await ledger.add(unit, seen);
      return { ...ran, reports };
    },
  };
}
