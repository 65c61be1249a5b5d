import type { CheckDefinition } from "../../config/definition-of-done.ts";
import { runCheck } from "../../checks/definition-of-done/check.ts";
import { createHostRuns } from "../../checks/host-runs.ts";
import { refuseCheck } from "../../checks/refuse-check.ts";
import { lanesOf } from "../../config/lanes.ts";
import { sandboxOf } from "../../config/sandbox.ts";
import type { Workplace } from "../../conversation/worktrees/worktrees.ts";
import type { Run } from "./run.ts";

/** How a command in a worktree ended. */
export type Ended =
  | { readonly kind: "fine" }
  | { readonly kind: "refused" | "failed"; readonly said: string };

const SETUP_SECONDS = 600;

/** What makes a worktree ready for work, as a check; null for nothing. It is the user's own or trusted, and installs things. */
export function setupOf({ runtime }: Pick<Run, "runtime">): CheckDefinition | null {
  const { setup } = lanesOf(runtime.config);
  return setup === undefined
    ? null
    : { id: "lanes.setup", command: setup, scope: "full", timeoutSeconds: SETUP_SECONDS, network: true };
}

/** Makes a worktree ready for work, by the rules for the checks of the configuration: both are the user's, or trusted. */
export async function setUp(
  run: Pick<Run, "runtime" | "conversation" | "call">,
  workplace: Workplace,
): Promise<Ended> {
  const setup = setupOf(run);
  return setup === null ? { kind: "fine" } : runHere(run, workplace, setup, true);
}

/**
 * Runs a command in a worktree (SPEC 9), which is thrown away or looked at before anything of it lands. One that the user
 * stops is fine.
 * @param isByPerson a person has approved exactly this command
 */
export async function runHere(
  { runtime, conversation, call }: Pick<Run, "runtime" | "conversation" | "call">,
  workplace: Workplace,
  check: CheckDefinition,
  isByPerson: boolean,
): Promise<Ended> {
  const refusal = refuseCheck(
    await workplace.examine("command", {
      kind: "command",
      command: check.command,
      workdir: workplace.place.project,
    }),
  );
  if (refusal !== null) return { kind: "refused", said: `it ${refusal}` };
  const runs = createHostRuns(sandboxOf(runtime.config), workplace.containment, runtime.knowledge.freely);
  const wanted = { isLocked: conversation.state.knobs.mode === "locked", isByPerson };
  const { status, output_tail, detail } = await runs.around(wanted, [check], async () =>
    runCheck(check, {
      directory: workplace.place.project,
      signal: call.abort,
      clock: runtime.clock,
      redact: runtime.memory.redact,
      program: runs.programs(wanted),
    }),
  );
  if (status === "passed" || status === "cancelled") return { kind: "fine" };
  // What never ran says nothing.
  if (status === "error") return { kind: "refused", said: detail ?? status };
  return { kind: "failed", said: [detail ?? status, output_tail].filter(Boolean).join("\n") };
}
