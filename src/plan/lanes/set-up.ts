import { runCheck } from "../../checks/definition-of-done/check.ts";
import { createHostRuns, refuseCheck } from "../../checks/host-runs.ts";
import type { CheckDefinition } from "../../config/definition-of-done.ts";
import { lanesOf } from "../../config/lanes.ts";
import { sandboxOf } from "../../config/sandbox.ts";
import type { Workplace } from "../../conversation/worktrees/worktrees.ts";
import type { Run } from "../run/run.ts";

export type Ended =
  | { readonly kind: "fine" }
  | { readonly kind: "refused" | "failed"; readonly said: string };

const SETUP_SECONDS = 600;

/** Makes a worktree ready for work, by the rules for the checks of the configuration: both are the user's, or trusted. */
export async function setUp(
  run: Pick<Run, "runtime" | "conversation" | "call">,
  workplace: Workplace,
): Promise<Ended> {
  const { setup, network } = lanesOf(run.runtime.config);
  if (setup === undefined) return { kind: "fine" };
  const check = { id: "lanes.setup", command: setup, timeoutSeconds: SETUP_SECONDS, network } as const;
  return runHere(run, workplace, { ...check, scope: "full" }, true);
}

/** Runs a command in a worktree (SPEC 9). One that the user stops is fine. @param isByPerson a person approved exactly this command */
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
  const runs = createHostRuns(sandboxOf(runtime.config), workplace.containment, runtime.knowledge.doubt);
  const wanted = { isLocked: conversation.state.knobs.mode === "locked", isByPerson };
  const { status, output_tail, detail } = await runCheck(check, {
    directory: workplace.place.project,
    signal: call.abort,
    clock: runtime.clock,
    redact: runtime.memory.redact,
    program: runs.programs(wanted),
  });
  if (status === "passed" || status === "cancelled") return { kind: "fine" };
  if (status === "error") return { kind: "refused", said: detail ?? status };
  return { kind: "failed", said: [detail ?? status, output_tail].filter(Boolean).join("\n") };
}
