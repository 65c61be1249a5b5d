import type { Baseline, RedCheck } from "../../checks/evidence/evidence.ts";
import type { Ledger } from "../../checks/evidence/ledger.ts";
import type { Proofs } from "../../checks/verifier.ts";
import type { Clock } from "../../lib/clock.ts";
import type { ConversationCore } from "../core.ts";

/** How long the first change waits for the checks, in milliseconds; they begin earlier where a wave is opened. */
const MAX_WAIT_MS = 120_000;

/** What fails before the first change of a unit (SPEC 11). */
export interface BaselineRuns {
  /** Begins in the background what {@link before} waits for. */
  begin(unit: string | null): void;
  /**
   * Something is about to be changed: waits for the run to end. One that takes longer is ended, for its result would not be
   * that of untouched files any more.
   */
  before(unit: string | null, signal: AbortSignal): Promise<void>;
  /** Ends what runs. */
  stop(): void;
}

export function createBaselineRuns(
  conversation: Pick<ConversationCore, "state" | "tell" | "outbox" | "log">,
  { proofs, ledger, clock }: { proofs: Proofs; ledger: Ledger; clock: Clock },
): BaselineRuns {
  const runs = new Map<string | null, { readonly done: Promise<void>; readonly control: AbortController }>();
  /** Checks that passed before this conversation changed anything: what it broke since is no baseline of a later unit. */
  let green: ReadonlySet<string> | null = null;

  const tell = (red: readonly RedCheck[]): void => {
    const names = red.map(({ id }) => id).join(", ");
    conversation.outbox.note(
      `Failing before any change: ${names}. What goes on failing in the same way blocks nothing; say so if it is to be repaired.`,
    );
    conversation.tell(
      `Before the first change these checks failed already: ${names}. They block nothing while they fail in the same way; do not repair them unless the user asks for it.`,
    );
  };
  const run = async (unit: string | null, signal: AbortSignal): Promise<void> => {
    await proofs.pin(unit);
    if ((await ledger.of(unit)).baseline !== null) return;
    const isLocked = conversation.state.knobs.mode === "locked";
    const found = await proofs.baseline(unit, { signal, isLocked });
    if (found === null || signal.aborted) return;
    const baseline: Baseline = { ...found, red: found.red.filter(({ key }) => green?.has(key) !== true) };
    green ??= new Set(found.green);
    await ledger.setBaseline(unit, { at: baseline.at, base: baseline.base, red: baseline.red });
    if (baseline.red.length === 0) return;
    tell(baseline.red);
    const lines = baseline.red.map(
      ({ id, status, exit_code }) =>
        `- ${id}: ${status}${exit_code === null ? "" : ` (exit code ${exit_code})`}`,
    );
    await conversation.log("Failing before any change", lines.join("\n"), unit);
  };
  const begin = (unit: string | null) => {
    const known = runs.get(unit);
    if (known !== undefined) return known;
    const control = new AbortController();
    const done = run(unit, control.signal).catch(() => undefined); // Without it nothing is excused.
    const begun = { done, control };
    runs.set(unit, begun);
    return begun;
  };

  return {
    begin(unit) {
      begin(unit);
    },
    async before(unit, signal) {
      const { done, control } = begin(unit);
      const stop = (): void => control.abort();
      if (signal.aborted) stop();
      signal.addEventListener("abort", stop, { once: true });
      let isOver = false;
      const cancel = clock.after(MAX_WAIT_MS, () => {
        if (isOver) return;
        conversation.outbox.note(
          "The checks take too long to be run before the first change: what they say later may have been so before.",
        );
        stop();
      });
      await done;
      // What was stopped says nothing, and the next first change begins it again.
      if (signal.aborted) runs.delete(unit);
      isOver = true;
      cancel();
      signal.removeEventListener("abort", stop);
    },
    stop() {
      for (const { control } of runs.values()) control.abort();
      runs.clear();
    },
  };
}
