import type { Claim } from "../../checks/evidence/claims.ts";
import type { RedCheck } from "../../checks/evidence/evidence.ts";
import type { Proofs, Verifier } from "../../checks/verifier.ts";
import type { Clock } from "../../lib/async.ts";
import type { ConversationCore } from "../core.ts";
import type { UnitClaims } from "./evidence.ts";

/** How long the first change waits for the checks, in milliseconds; an opened wave starts them earlier. */
const MAX_WAIT_MS = 120_000;

/** Runs the project's checks before the first change of a unit, and a plan's commands before their wave (SPEC 11). */
export function createBaselineRuns(
  conversation: Pick<ConversationCore, "state" | "tell" | "outbox" | "log">,
  proofs: Proofs,
  verifier: Pick<Verifier, "ledger" | "commands">,
  measure: UnitClaims["measure"],
  clock: Clock,
) {
  const { ledger } = verifier;
  const runs = new Map<string | null, { readonly done: Promise<void>; readonly control: AbortController }>();
  /** Checks that passed before this conversation changed anything: a later failure is not a baseline. */
  let green: ReadonlySet<string> | null = null;

  const tell = async (unit: string | null, red: readonly RedCheck[]): Promise<void> => {
    const names = red.map(({ id }) => id).join(", ");
    conversation.outbox.note(
      `Failing before any change: ${names}. What goes on failing in the same way blocks nothing; say so if it is to be repaired.`,
    );
    conversation.tell(
      `Before the first change these checks failed already: ${names}. They block nothing while they fail in the same way; do not repair them unless the user asks for it.`,
    );
    const lines = red.map(
      ({ id, status, exit_code }) =>
        `- ${id}: ${status}${exit_code === null ? "" : ` (exit code ${exit_code})`}`,
    );
    await conversation.log("Failing before any change", lines.join("\n"), unit);
  };
  const runChecks = async (unit: string | null, signal: AbortSignal): Promise<void> => {
    if ((await ledger.of(unit)).baseline !== null) return;
    const isLocked = conversation.state.knobs.mode === "locked";
    const found = await proofs.baseline(unit, { signal, isLocked });
    if (found === null || signal.aborted) return;
    const red = found.red.filter(({ key }) => green?.has(key) !== true);
    green ??= new Set(found.green);
    await ledger.setBaseline(unit, { red });
    if (red.length > 0) await tell(unit, red);
  };
  const run = async (
    unit: string | null,
    tasks: readonly string[] | undefined,
    signal: AbortSignal,
  ): Promise<void> => {
    await proofs.pin(unit);
    if (unit === null) return runChecks(unit, signal);
    const isWanted = ({ id, kind, isTicked }: Claim): boolean =>
      kind === "condition" || (!isTicked && tasks?.includes(id) !== false);
    // A command of both the plan and the checks runs once, as a check.
    const shared = new Set(await verifier.commands());
    const [, own] = await Promise.all([
      runChecks(unit, signal),
      measure(unit, (claim) => isWanted(claim) && !shared.has(claim.command ?? ""), signal),
    ]);
    const passing = [...own, ...(signal.aborted ? [] : await measure(unit, isWanted, signal))];
    if (passing.length === 0) return;
    // A command that passes already proves nothing about the work: tell the user.
    const text = `Passes before the work, and so shows nothing about it: ${passing.join(", ")}.`;
    conversation.outbox.note(text);
    conversation.tell(text);
  };
  const begin = (unit: string | null, tasks?: readonly string[]) => {
    const known = runs.get(unit);
    if (known !== undefined && tasks === undefined) return known;
    const control = new AbortController();
    const after = known?.done ?? Promise.resolve();
    // After a failure nothing is excused, and nothing is proven.
    const done = after.then(async () => run(unit, tasks, control.signal)).catch(() => undefined);
    const begun = { done, control };
    runs.set(unit, begun);
    return begun;
  };

  return {
    /**
     * Starts in the background the run that {@link before} waits for.
     * @param tasks ids of the claims of a starting wave; by default every open task
     */
    begin,
    /**
     * Waits for the run before the first change. A run over the limit is stopped: its files would not be untouched any more.
     * @param begins false: only for one that has begun
     */
    async before(unit: string | null, signal: AbortSignal, begins = true): Promise<void> {
      if (!begins && !runs.has(unit)) return;
      const { done, control } = begin(unit);
      const stop = (): void => control.abort();
      if (signal.aborted) stop();
      signal.addEventListener("abort", stop, { once: true });
      const cancel = clock.after(MAX_WAIT_MS, () => {
        conversation.outbox.note(
          "The checks take too long to be run before the first change: what they say later may have been so before.",
        );
        stop();
      });
      await done;
      // A stopped run has no result: the next change starts it again.
      if (signal.aborted) runs.delete(unit);
      cancel();
      signal.removeEventListener("abort", stop);
    },
    stop(): void {
      for (const { control } of runs.values()) control.abort();
      runs.clear();
    },
  };
}
