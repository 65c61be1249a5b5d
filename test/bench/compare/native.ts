import { call, say, type Turn } from "../../../src/scripted-model/turn.ts";
import { featureAlone, featureByHand, fixAlone, NO_CEREMONY } from "./by-hand.ts";
import type { Contender, Job } from "./contenders.ts";

/** OpenCode's own tool for delegations, with whom it is to call for which job. */
export const taskTool =
  (agents: Readonly<Record<Job, string>>): Contender["delegate"] =>
  (job, prompt, number) =>
    call("task", { description: `${job} ${number}`, prompt, subagent_type: agents[job] });

export const inWords: Contender["finish"] = (_job: Job, summary: string): Turn => say(summary);

const delegate = taskTool({ read: "explore", write: "general", check: "general", record: "general" });

/** OpenCode alone, in one session. */
export const NATIVE: Contender = {
  name: "native OpenCode",
  package: null,
  orchestrator: "build",
  delegate,
  finish: inWords,
  feature: featureAlone,
  quickFix: fixAlone,
  byHand: (count) => featureByHand(delegate, NO_CEREMONY, count),
};
