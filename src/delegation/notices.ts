import type { Host, ModelId } from "../host/port.ts";
import type { Clock } from "../lib/clock.ts";
import type { Candidates } from "./candidates.ts";
import type { Attempt, Task } from "./task.ts";

/** A failing model is told of once in this time, in milliseconds, however many specialists meet it. */
const QUIET_MS = 120_000;

/** Tells the user of models that could not be used, so that a change of model is never silent (SPEC 6). */
export function createDelegationNotices(host: Host, clock: Clock) {
  let told = false;
  const models = new Map<ModelId | null, number>();
  const isNew = ({ model, failure }: Attempt): boolean =>
    failure !== null && failure !== "aborted" && clock.now() - (models.get(model) ?? -Infinity) >= QUIET_MS;

  return {
    /** An agent runs on another model because none of its own is available; told once, for all. */
    inherited(agent: string, { inherited, models: [model] }: Candidates): void {
      if (!inherited || told) return;
      told = true;
      const runsOn = model === null ? "OpenCode's default model" : model;
      const others = "So does every specialist in that case; opencode-gaia doctor lists them.";
      void host.toast("warning", `${agent} runs on ${runsOn}: none of its models is available. ${others}`);
    },
    /** A task went on after attempts that failed; one that did not says so in its own last line. */
    fellBack(task: Task): void {
      const news = task.attempts.filter(isNew);
      const answered = task.attempts.findLast(({ failure }) => failure === null);
      if (news.length === 0 || answered === undefined) return;
      for (const { model } of news) models.set(model, clock.now());
      const failed = news.map(({ model, failure }) => `${model ?? "the default model"} (${failure})`);
      const then = answered.model ?? "the default model";
      void host.toast("warning", `${task.agent}: ${failed.join(", ")} failed; went on with ${then}.`);
    },
  };
}
