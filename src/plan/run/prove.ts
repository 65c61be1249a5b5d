import { modelView } from "../../checks/definition-of-done/render.ts";
import { excerptOutput } from "../../process/excerpt.ts";
import type { DefinitionOfDoneReport } from "../../checks/definition-of-done/report.ts";
import { settleChangedChecks } from "../operations/evidence.ts";
import { isHeldUp, type Halt, needsDecision, needsUser, planNow, type Run } from "./run.ts";
import { workOnTask, writerOf } from "./send-back.ts";

const MAX_OUTPUT = 1_500;
const MEND = "Add a task that fixes it to the plan and run again, or tell the user.";

type Proving = Pick<Run, "conversation" | "call"> & { readonly unit: string | null };
interface FailedCheck extends Halt {
  readonly said: string;
}

/** Runs the project's checks; what fails goes back once to the one who wrote it. @returns why it cannot go on */
export async function proveWave(run: Run, wave: string): Promise<Halt | null> {
  const { runtime, conversation, call, unit } = run;
  if (runtime.config.wavePolicy.boundaryRule === "manual") return null;
  await settleChangedChecks({ runtime, conversation, call, unit });
  const first = await check(run);
  if (first === null || first.said === "") return first;
  const { said, ...halt } = first;
  const task = writerOf(run, (await planNow(run)).tasks, said);
  if (task === null || isHeldUp(run)) return halt;
  await workOnTask(run, wave, task, `These checks of the project fail:\n${said}`);
  return isHeldUp(run) ? halt : check(run, ` after task ${task.number} was sent back`);
}

/** Runs the checks once more where files have changed since they passed, which nobody has to think about. @returns why it cannot go on */
export async function proveAgain(run: Proving): Promise<Halt | null> {
  const standing = await run.conversation.parts.checks.standing(run.call.abort);
  if (standing === "passed" || standing === "unconfigured") return null;
  return check(run);
}

/** Once no task is open: everything in the plan still holds on the files as they are. @returns what does not any more */
export async function proveAll(run: Run): Promise<Halt | null> {
  const { conversation, call, unit } = run;
  const claims = await conversation.parts.checks.prove(unit, () => true, call.abort);
  const refuted = claims.filter(
    ({ isRefuted, isTicked, kind }) => isRefuted && (isTicked || kind === "condition"),
  );
  if (refuted.length === 0) return null;
  const said = refuted.map(({ id, why }) => `${id}: ${why}`).join("; ");
  return needsDecision(`What was done does not hold any more: ${said}`, MEND);
}

/** @returns why it cannot go on, with what the checks said; null where they pass or none is configured */
async function check({ conversation, call, unit }: Proving, how = ""): Promise<FailedCheck | null> {
  const { checks } = conversation.parts;
  const scope = await checks.scopeOfWork(call.abort);
  const verification = await checks.run(unit, { scope, by: "gaia", signal: call.abort });
  if (verification.kind === "broken")
    return {
      ...needsUser(verification.problem, "Tell the user; run goes on once it is settled."),
      said: "",
    };
  if (verification.kind !== "ran" || verification.report.passed) return null;
  const { report } = verification;
  const why = `The Definition of Done does not pass${how}: ${JSON.stringify(modelView(report))}`;
  return { ...needsDecision(why, MEND), said: outputOf(report) };
}

function outputOf({ checks, artifacts }: DefinitionOfDoneReport): string {
  const red = checks.filter(
    (each) => each.status !== "passed" && each.as_before !== true && each.was_red !== true,
  );
  return [
    ...red.map(
      ({ id, command, detail = "", output_tail: output }) =>
        `${id}: \`${command}\` ${detail}\n${excerptOutput(output, { maxCharacters: MAX_OUTPUT })}`,
    ),
    ...artifacts.filter(({ found, optional }) => !found && !optional).map(({ path }) => `missing: ${path}`),
  ].join("\n");
}
