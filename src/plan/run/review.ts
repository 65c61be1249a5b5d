import { isDocumentationOnly } from "../../checks/completion.ts";
import type { ReviewDepth } from "../../config/knobs.ts";
import type { Role } from "../../config/roles.ts";
import { openObjections } from "../../conversation/collaboration/verdicts.ts";
import { partOfCall } from "../../delegation/task.ts";
import type { Specialist } from "../../delegation/specialist.ts";
import { excerpt } from "../../lib/text.ts";
import { isRefusal } from "../../lib/error.ts";
import { conclusionOf } from "../review/outcome.ts";
import type { PlanTask } from "../task.ts";
import type { PlanWave } from "../waves.ts";
import { LOOK_AGAIN, renderFound, endOf, give, sayingOf, type Objection } from "./give.ts";
import { beginRecord } from "./record-work.ts";
import { isHeldUp, needsDecision, type Halt, type Run } from "./run.ts";
import { objected, proveWave, sendRejectedBack, specialistOf, unreviewed } from "./send-back.ts";

const MAX_TASK = 200;

/** What a reviewer has said in this run, and where; what it objects to is fixed before it looks again. */
interface Seen {
  readonly session: string;
  readonly findings: string;
  readonly objection: Objection | null;
}
/** Who came to no verdict at all, and why. */
type Broke = ReadonlyMap<string, string>;

/** A rejection is fixed once and looked at again. @param ends the run ends with it: what was done is recorded beside it @returns why it cannot go on */
export async function reviewWave(
  run: Run,
  wave: PlanWave,
  isLast: boolean,
  ends: boolean,
): Promise<Halt | null> {
  const { call, unit, conversation } = run;
  const reviewers = await reviewersOf(run, wave, isLast);
  if (reviewers.length === 0) {
    if (ends) beginRecord(run);
    return null;
  }
  const brief = await renderReview(run, wave);
  const seen = new Map<string, Seen>();
  const look = async (who: readonly Specialist[], round: 1 | 2): Promise<Broke> => {
    const standing = openObjections(conversation.state.verdicts, unit);
    const broke = new Map<string, string>();
    const looks = who.map(async (specialist) => {
      const { name, role } = specialist;
      const earlier = seen.get(name);
      const theirs = standing.filter((each) => each.role === role).map(({ reason }) => reason);
      const found = renderFound(earlier?.findings ?? theirs.join("; "));
      const afresh = [found === "" ? "" : LOOK_AGAIN, found, brief].filter(Boolean).join("\n\n");
      const result = await give(run, {
        specialist,
        title: `Review wave ${wave.id}`,
        prompt: earlier === undefined ? afresh : LOOK_AGAIN,
        afresh,
        resume: earlier?.session ?? null,
        waveId: wave.id,
        // Behind the first of them, who begins alike and for whom the others wait.
        opened: ends && round === 1 ? () => beginRecord(run) : undefined,
        callId: partOfCall(call.callId, `${wave.id}.${name}.${round}`),
      });
      const { problem, found: listed = [], findings: said } = endOf(specialist, result);
      const isSeen = !isRefusal(result) && conclusionOf(name, result.status, result.parsed_json) !== null;
      run.notes.push(`${name}: ${isSeen ? sayingOf(result) : problem}`);
      if (!isSeen) return void broke.set(name, problem);
      const objection = said === "" ? null : { reviewer: name, said, found: listed };
      seen.set(name, { session: result.session_id, findings: sayingOf(result) || problem, objection });
    });
    await Promise.all(looks);
    return broke;
  };
  const broke = await look(reviewers, 1);
  if (isHeldUp(run)) return null;
  if (objected(run) === null) return (await unreviewed(run)) ?? notBegun(run, broke);
  const objecting = new Set(
    openObjections(conversation.state.verdicts, unit).map(({ reviewer }) => reviewer),
  );
  const objections = [...seen.values()].flatMap(({ objection }) => objection ?? []);
  const halt = await sendRejectedBack(run, wave.id, objections);
  if (halt !== null) return halt;
  const again = isHeldUp(run) ? null : await proveWave(run, wave.id);
  if (again !== null || isHeldUp(run)) return again;
  const still = await look(
    reviewers.filter(({ name }) => objecting.has(name) || broke.has(name)),
    2,
  );
  return isHeldUp(run) ? null : (objected(run) ?? (await unreviewed(run)) ?? notBegun(run, still));
}

function notBegun({ conversation, unit }: Run, broke: Broke): Halt | null {
  const known = conversation.state.verdicts.filter(({ workUnit }) => workUnit === unit);
  const first = [...broke].find(([name]) => !known.some(({ reviewer }) => reviewer === name));
  if (first === undefined) return null;
  const why = `Not reviewed by ${first[0]}: ${first[1]} (${unit})`;
  return needsDecision(why, "Run again, or have it reviewed by hand.");
}

async function reviewersOf(run: Run, wave: PlanWave, isLast: boolean): Promise<readonly Specialist[]> {
  const { runtime, conversation, call } = run;
  const { files, known } = await conversation.tree.vcs.changesSince(null, call.abort);
  const paths = files.map(({ path }) => path);
  const roles = whoReviews({
    isLast,
    // Where the files could not be compared, anything may have changed.
    changesCode: !known || (paths.length > 0 && !isDocumentationOnly(paths)),
    depth: conversation.state.knobs.reviewDepth,
    isProven: (await conversation.parts.checks.standing(call.abort)) === "passed",
    planned: wave.tasks.map((task) => specialistOf(run, task)?.role ?? null),
  });
  const everyone = [...runtime.agents.specialists.values()];
  return roles.flatMap((role) => everyone.find((each) => each.role === role) ?? []);
}

/** What of the plan is looked at; what is asked of it and what its makers say stands around it. */
async function renderReview({ runtime, conversation, unit }: Run, wave: PlanWave): Promise<string> {
  const read = await runtime.workspace.readWorkUnit({ slug: unit });
  const proven = conversation.tree.verifier.last()?.summary ?? "";
  const worked = new Set(conversation.parts.runs.of(unit).map(({ task }) => task));
  const before = (read.ok ? read.tasks : []).filter(
    ({ number }) => worked.has(number) && !wave.tasks.some((task) => task.number === number),
  );
  return [
    `TASK: Review wave ${wave.id} of ${unit}`,
    ["ASKED FOR", ...wave.tasks.map(describe)].join("\n"),
    before.length === 0
      ? ""
      : ["In earlier waves, of which the diff may show something too:", ...before.map(describe)].join("\n"),
    proven === "" ? "" : `CHECKED BY THE HOST\n${proven}`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

function describe({ number, text }: PlanTask): string {
  return `- ${number}. ${excerpt(text, MAX_TASK)}`;
}

export interface ReviewFacts {
  readonly isLast: boolean;
  readonly changesCode: boolean;
  readonly depth: ReviewDepth;
  readonly isProven: boolean;
  readonly planned: readonly (Role | null)[];
}

/** Who runs the checks where the host could not, and who reviews: at the end, and in each wave where the user wants it so deep. */
export function whoReviews({ isLast, changesCode, depth, isProven, planned }: ReviewFacts): readonly Role[] {
  if (!changesCode) return [];
  const checker: readonly Role[] = isProven || !isLast ? [] : ["checker"];
  const reviewer: readonly Role[] = isLast || depth === "deep_repo" ? ["reviewer"] : [];
  return [...checker, ...reviewer].filter((role) => !planned.includes(role));
}
