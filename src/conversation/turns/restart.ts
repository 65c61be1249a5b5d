import { bounded } from "../../lib/bounded.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { tagged } from "../../lib/tagged.ts";
import type { BringUp } from "../assumptions/assumptions.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { Planning, Stage } from "../planning/stage.ts";
import type { ConversationServices } from "../services.ts";
import type { Runs } from "../runs/runs.ts";
import type { WorkRecord } from "../record/work-record.ts";
import { outcomeOf, rebuildResult } from "../../delegation/rebuild.ts";
import { describeError } from "../../lib/error.ts";
import type { LeftTask, LeftTasks } from "./left-tasks.ts";

const STAGES: Readonly<Record<Stage["kind"], string>> = {
  planning: "a plan is being made; nothing is carried out before the user approves it",
  spec: "a spec is being written",
  review: "an advisory review was asked for; nothing is changed for it",
  closing: "a unit was to be closed, and the user has not answered; only their /gaia-unify asks again",
};
/** A turn waits no longer for the record, in milliseconds. */
const PATIENCE_MS = 5_000;
const ORDER =
  "Tell the user in one line what was interrupted and offer to go on with it. Where their message asks for that already, go on; what they drop, drop.";

/** What a conversation finds of itself after OpenCode was stopped in the middle of it. */
export interface Restart extends Part {
  /** For the user's first message after a restart: what is open, with the offer to go on; empty for nothing, and later. */
  forMessage(): Promise<string>;
}

export function createRestart(
  conversation: Pick<ConversationCore, "rootId" | "state" | "outbox">,
  {
    host,
    clock,
    sessions,
    redact,
    specialistOf,
    vcs,
  }: Pick<ConversationServices, "host" | "clock" | "sessions" | "redact" | "specialistOf" | "vcs">,
  parts: {
    readonly workRecord: Pick<WorkRecord, "recover" | "settled">;
    readonly leftTasks: LeftTasks;
    readonly planning: Planning;
    readonly runs: Pick<Runs, "interrupted">;
    readonly assumptions: Pick<BringUp, "remind">;
  },
): Restart {
  let isTold = false;
  /** What the earlier process had no time to write into the record. */
  const record = async ({ id, agent, what: title, workUnit, ended }: LeftTask): Promise<void> => {
    const work = { id, agent, title, workUnit };
    if (!ended) {
      parts.workRecord.recover({ ...work, outcome: null });
      return;
    }
    try {
      const { rootId } = conversation;
      const outcome = outcomeOf(await rebuildResult(host, rootId, id, specialistOf, vcs.kind));
      if (outcome !== null) parts.workRecord.recover({ ...work, outcome });
    } catch (error) {
      host.logger.log("warn", "restart", describeError(error), { id });
    }
  };
  return {
    async forMessage() {
      if (isTold || sessions.isNew(conversation.rootId)) return "";
      isTold = true;
      const left = await parts.leftTasks.list();
      for (const task of left) await record(task);
      // What she reads of the record next has to hold it.
      await bounded(parts.workRecord.settled(), PATIENCE_MS, clock, "the record").catch(() => undefined);
      const stage = parts.planning.stage();
      const run = parts.runs.interrupted();
      const lines = [
        ...left.map(describeTask),
        ...(stage === null ? [] : [STAGES[stage.kind]]),
        ...describeWave(conversation.state),
        ...(run === null ? [] : [`the plan of ${run} was being carried out; plan_gaia run goes on with it`]),
        ...parts.assumptions.remind(),
      ];
      if (lines.length === 0) return "";
      void host.clearProgress(conversation.rootId);
      if (left.length > 0) conversation.outbox.note(redact(describeForUser(left)));
      const interrupted = left.filter(({ ended }) => !ended).map(({ agent }) => agent);
      if (interrupted.length > 0)
        void host.toast(
          "info",
          `Interrupted when OpenCode stopped: ${interrupted.join(", ")}. GAIA can go on.`,
        );
      const open = lines.map((line) => `- ${line}`).join("\n");
      return tagged("gaia-open", redact(`OpenCode was restarted. Open from before:\n${open}\n${ORDER}`));
    },
  };
}

function describeTask({ id, agent, sessionId, what, ended }: LeftTask): string {
  const task = `${agent} (${id}) "${excerpt(what, 80)}"`;
  return ended
    ? `${task}: finished, its result was not collected; collect_results without an id has it`
    : `${task}: interrupted; delegate_gaia with session_id ${sessionId} goes on where it stopped`;
}

/** Who was lost, and what goes on, for the user. */
function describeForUser(left: readonly LeftTask[]): string {
  const lines = left.map(({ agent, what, ended }) => {
    const name = `${agent}${what === "" ? "" : ` › ${excerpt(what, 70)}`}`;
    return ended
      ? `◐ ${name} · finished before the restart; its result is collected`
      : `✗ ${name} · interrupted; goes on where it stopped, when you say so`;
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
