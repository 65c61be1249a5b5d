import type { Offer } from "../../conversation/questions/offers.ts";
import type { Runtime } from "../../runtime.ts";
import { prepareChecks } from "./checks.ts";
import { prepareCommitHook } from "./commit-hook.ts";
import type { PrepareStep, SetupStep } from "./define.ts";
import { prepareDoubtful } from "./doubtful.ts";
import { prepareLearnings } from "./learnings.ts";
import { prepareMerging } from "./merging.ts";
import { preparePromotions } from "./promotions.ts";

/** In the order in which they are asked, all in one question of OpenCode's. */
const STEPS: readonly PrepareStep[] = [
  prepareLearnings,
  prepareDoubtful,
  preparePromotions,
  prepareChecks,
  prepareCommitHook,
  prepareMerging,
  // Loaded when someone asks, as all of what is known.
  async (runtime) => (await import("./knowledge.ts")).prepareKnowledge(runtime),
];

/** The header by which a model asks for it. */
export const SETUP_HEADER = "GAIA setup";

/** Everything that there is to set up as one offer; null when there is nothing. */
export async function prepareSetup(runtime: Runtime): Promise<Offer | null> {
  const prepared = await Promise.all(STEPS.map(async (prepare) => prepare(runtime)));
  const steps = prepared.filter((step): step is SetupStep => step !== null);
  if (steps.length === 0) return null;
  return {
    header: SETUP_HEADER,
    questions: steps.map(({ question }) => question),
    async settle(answers) {
      const done: string[] = [];
      // One after the other: promotions see the learnings that were just kept.
      for (const [at, step] of steps.entries()) done.push(await step.settle(answers[at] ?? []));
      const told = done.filter((text) => text !== "");
      return `The plugin has done what the user chose. ${told.join(" ") || "They chose nothing."}`;
    },
  };
}
