import type { CheckDefinition } from "../../config/definition-of-done.ts";
import { runCheck } from "../../checks/definition-of-done/check.ts";
import { decideRun, type RunDecision } from "../../checks/evidence/decide-run.ts";
import { refuseCheck } from "../../checks/refuse-check.ts";
import { lanesOf } from "../../config/lanes.ts";
import { sandboxOf } from "../../config/sandbox.ts";
import type { Workplace } from "../../conversation/worktrees/worktrees.ts";
import type { Examination } from "../../policy/examination.ts";
import type { Run } from "./run.ts";

/** How a command in a worktree ended. */
export type Ended =
  | { readonly kind: "fine" }
  | { readonly kind: "refused" | "failed"; readonly said: string };

const SETUP_SECONDS = 600;

/** What makes a worktree ready for work, as a check; null for nothing. */
export function setupOf({ runtime }: Pick<Run, "runtime">): CheckDefinition | null {
  const { setup } = lanesOf(runtime.config);
  return setup === undefined
    ? null
    : { id: "lanes.setup", command: setup, scope: "full", timeoutSeconds: SETUP_SECONDS };
}

/** Makes a worktree ready for work, by the rules for the checks of the configuration: both are the user's, or trusted. */
export async function setUp(
  run: Pick<Run, "runtime" | "conversation" | "call">,
  workplace: Workplace,
): Promise<Ended> {
  const setup = setupOf(run);
  const isLocked = run.conversation.state.knobs.mode === "locked";
  return setup === null
    ? { kind: "fine" }
    : runHere(run, workplace, setup, (examination) => {
        const why = refuseCheck(examination, isLocked);
        return why === null ? { kind: "run", contained: "never" } : { kind: "refused", why: `it ${why}` };
      });
}

/** Runs a command in a worktree, by default by the rules for those of a plan. One that the user stops is fine. */
export async function runHere(
  { runtime, call }: Pick<Run, "runtime" | "call">,
  workplace: Workplace,
  check: CheckDefinition,
  decide: (examination: Examination) => RunDecision = (examination) =>
    decideRun(examination, { isLocked: false, isCovered: true }),
): Promise<Ended> {
  const { mode, network } = sandboxOf(runtime.config);
  const examination = await workplace.examine("bash", {
    kind: "command",
    command: check.command,
    workdir: workplace.place.project,
  });
  const decision = decide(examination);
  if (decision.kind === "refused") return { kind: "refused", said: decision.why };
  const isContained = mode === "on" || (mode !== "machine" && decision.contained === "only");
  const contain = async (command: string, at: string): Promise<readonly [string, ...string[]]> =>
    (await workplace.containment()).command({ project: "write", network, caches: true }, at, command);
  const { status, output_tail, detail } = await runCheck(check, {
    directory: workplace.place.project,
    signal: call.abort,
    clock: runtime.clock,
    redact: runtime.memory.redact,
    ...(isContained ? { contain } : {}),
  });
  if (status === "passed" || status === "cancelled") return { kind: "fine" };
  return { kind: "failed", said: [detail ?? status, output_tail].filter(Boolean).join("\n") };
}
