import { call } from "../../../src/scripted-model/turn.ts";
import { featureAlone, featureAtOnce, featureByHand, fixAlone, NO_CEREMONY } from "./by-hand.ts";
import type { Contender } from "./contenders.ts";
import { inWords, taskTool } from "./native.ts";

/** Sisyphus hands work to agents that write by its category, and waits for it. */
const bySisyphus: Contender["delegate"] = (job, prompt, number) => {
  const whom = job === "read" ? { subagent_type: "explore" } : { category: "quick" };
  const rest = { load_skills: [], run_in_background: false };
  return call("task", { description: `${job} ${number}`, prompt, ...whom, ...rest });
};

/**
 * Other orchestrators, in two ways: the main agent works alone, or hands out all files at once. Of what their prompts ask for
 * only what the work itself needs: no plan agents, to-do lists, explorers or background tasks, each of which costs turns.
 */
export const PEERS: readonly Contender[] = [
  peer("oh-my-opencode", "Sisyphus - ultraworker", bySisyphus),
  peer(
    "oh-my-opencode-slim",
    "orchestrator",
    taskTool({ read: "explorer", write: "fixer", check: "fixer", record: "fixer" }),
  ),
];

/** @param name of the npm package, too */
function peer(name: string, orchestrator: string, delegate: Contender["delegate"]): Contender {
  const alone: Contender = {
    name,
    package: name,
    orchestrator,
    delegate,
    finish: inWords,
    feature: featureAlone,
    quickFix: fixAlone,
    byHand: (count) => featureByHand(delegate, NO_CEREMONY, count),
  };
  const delegating: Contender = {
    ...alone,
    name: `${name}, delegating`,
    feature: (count, directory) => featureAtOnce(delegate, count, directory),
  };
  return { ...alone, also: [delegating] };
}
