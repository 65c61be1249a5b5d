import { bounded } from "../../lib/async.ts";
import { excerpt } from "../../lib/text.ts";
import { tagged } from "../../lib/quoting.ts";
import type { createQuestions } from "../questions/questions.ts";
import type { ConversationCore } from "../core.ts";
import type { Planning, Stage } from "../planning/stage.ts";
import type { ConversationServices } from "../services.ts";
import type { Delegations } from "../delegations/delegations.ts";
import { taskName } from "../report/piece-of-work.ts";
import type { Runs } from "../runs/runs.ts";
import type { WorkRecord } from "../record/work-record.ts";
import { describeError } from "../../lib/error.ts";
import { newestTaskIn, rebuildNewest, wasInterrupted } from "../../delegation/rebuild.ts";
import type { Task } from "../../delegation/task.ts";

const STAGES: Readonly<Record<Stage["kind"], string>> = {
  planning: "a plan is being made; nothing is carried out before the user approves it",
  spec: "a spec is being written",
  review: "an advisory review was asked for; nothing is changed for it",
};
/** A turn waits no longer for the record, in milliseconds. */
const PATIENCE_MS = 5_000;
const ORDER =
  "Tell the user in one line what was interrupted and offer to go on with it. Where their message asks for that already, go on; what they drop, drop.";

/** As many are looked at; a user with more of them open has other worries. */
const MAX_LEFT = 12;
const MAX_NAME = 90;
/**
 * What a conversation finds of itself after OpenCode was stopped (SPEC 5): tasks of its child sessions whose end GAIA was not given,
 * so that a kill at any moment loses none.
 */
export function createRestart(
  conversation: Pick<ConversationCore, "rootId" | "state" | "outbox" | "tasks">,
  services: Pick<ConversationServices, "host" | "clock" | "sessions" | "redact" | "specialistOf">,
  parts: {
    readonly workRecord: Pick<WorkRecord, "recover" | "settled">;
    readonly planning: Pick<Planning, "stage">;
    readonly runs: Pick<Runs, "interrupted">;
    readonly delegations: Pick<Delegations, "isGiven">;
    readonly questions: Pick<ReturnType<typeof createQuestions>, "remind">;
  },
) {
  const { rootId, tasks } = conversation;
  const { host, clock, sessions, redact, specialistOf } = services;
  const { workRecord } = parts;
  const { isGiven } = parts.delegations;
  // What begins in this process has nothing from before.
  let isTold = sessions.isNew(rootId);
  let isShown = isTold;
  let found: Promise<readonly Task[]> | null = null;

  const readAll = async (): Promise<readonly Task[]> => {
    const own = new Set(tasks().map(({ sessionId }) => sessionId));
    const children = (await host.sessions.children(rootId)).filter(({ id }) => !own.has(id));
    const open = children.filter((child) => {
      const id = newestTaskIn(child);
      return id !== null && !isGiven(id);
    });
    return Promise.all(
      open.slice(-MAX_LEFT).map(async (child) => rebuildNewest(host, rootId, child, specialistOf)),
    );
  };
  const ask = async (): Promise<readonly Task[]> => {
    // A session that began under our eyes has nothing from before.
    if (sessions.isNew(rootId)) return [];
    try {
      return await bounded(readAll(), PATIENCE_MS, clock, "what was left open");
    } catch (error) {
      host.logger.log("warn", "left-tasks", describeError(error), { rootId });
      found = null;
      return [];
    }
  };
  const list = async (): Promise<readonly Task[]> => {
    found ??= ask();
    const left = await found;
    // One whose session works again is a task of this process.
    const resumed = new Set(tasks().map(({ sessionId }) => sessionId));
    return left.filter(({ id, sessionId }) => !isGiven(id) && !resumed.has(sessionId));
  };

  const restart = {
    /** Tells the user what was interrupted, once, and takes off the rows what they showed of it. */
    async tellUser(): Promise<void> {
      if (isShown) return;
      isShown = true;
      void host.clearProgress(rootId);
      const left = await list();
      if (left.length > 0) conversation.outbox.note(redact(describeForUser(left)));
    },
    /** The tasks that are still open, newest sessions last. Never rejects; empty where OpenCode does not tell. */
    leftTasks: list,
    /** For the user's first message after a restart: what is open, with the offer to go on; empty for nothing, and later. */
    async forMessage(): Promise<string> {
      if (isTold) return "";
      isTold = true;
      const left = await list();
      for (const task of left) workRecord.recover(wasInterrupted(task) ? { ...task, outcome: null } : task);
      // What GAIA reads of the record next has to hold it.
      await bounded(workRecord.settled(), PATIENCE_MS, clock, "the record").catch(() => undefined);
      const stage = parts.planning.stage();
      const run = parts.runs.interrupted();
      const lines = [
        ...left.map(describeTask),
        ...(stage === null ? [] : [STAGES[stage.kind]]),
        ...describeWave(conversation.state),
        ...(run === null ? [] : [`the plan of ${run} was being carried out; plan_gaia run goes on with it`]),
        ...parts.questions.remind(),
      ];
      if (lines.length === 0) return "";
      await restart.tellUser();
      const open = lines.map((line) => `- ${line}`).join("\n");
      return tagged("gaia-open", redact(`OpenCode was restarted. Open from before:\n${open}\n${ORDER}`));
    },
  };
  return restart;
}

function describeTask(task: Task): string {
  const { id, agent, sessionId, title = "" } = task;
  const named = `${agent} (${id}) "${excerpt(title, 80)}"`;
  return wasInterrupted(task)
    ? `${named}: interrupted; delegate_gaia with session_id ${sessionId} goes on where it stopped`
    : `${named}: finished, its result was not collected; collect_results without an id has it`;
}

function describeForUser(left: readonly Task[]): string {
  const lines = left.map((task) => {
    const name = excerpt(taskName(task), MAX_NAME);
    return wasInterrupted(task)
      ? `✗ ${name} · interrupted; goes on where it stopped, when you say so`
      : `◐ ${name} · finished before the restart; its result is collected`;
  });
  return ["OpenCode was stopped while specialists were at work:", ...lines].join("\n");
}

/** An approval is no longer than the process in which it was given. */
function describeWave({ wave, knobs }: ConversationCore["state"]): string[] {
  if (wave === null) return [];
  const isAsked = knobs.mode === "supervised" && !wave.approved;
  return [
    `wave ${wave.id} of ${wave.workUnit} is open${isAsked ? "; its approval ended with the restart, open_wave asks again" : ""}`,
  ];
}
