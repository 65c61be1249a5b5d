import { call, say, type Turn } from "../../../src/scripted-model/turn.ts";
import { featureAlone, featureAtOnce, featureByHand } from "./by-hand.ts";
import { fix, summarise } from "./work.ts";

/** What a delegation is for. */
export type Job = "read" | "write" | "check" | "record";

/** Hands a job over. `number` makes two calls differ, and chooses among agents of the same job. */
export type Delegate = (job: Job, prompt: string, number: number) => Turn;

/** Who is done. */
export interface Who {
  /** As the scripted model tells them apart. */
  readonly agent: string;
  /** Whether they have run the check themselves. */
  readonly hasChecked: boolean;
}

/** One way of working that is compared, in its author's own agents and tools. */
export interface Contender {
  /** The npm package's, too, but for OpenCode alone and for other ways. */
  readonly name: string;
  /** Whom the user speaks to. */
  readonly orchestrator: string;
  readonly delegate: Delegate;
  /** How an agent of this job says that it is done. */
  finish(job: Job, summary: string, who: Who): Turn;
  /** Its orchestrator's turns for the feature over so many files. */
  feature(count: number, directory: string): Turn[];
  /** The same for one obvious edit: itself, where it may edit. */
  quickFix(directory: string): Turn[];
  /** The feature where subagents look and write: what these send first is taken from it. */
  byHand(count: number): Turn[];
  /** Other ways to work with the same package, each in a row of its own. */
  readonly also?: readonly Contender[];
}

/** A contender as it is installed. */
export interface Installed extends Contender {
  readonly version: string;
  /** The entry of opencode.json; null for none. */
  readonly plugin: string | null;
  /** Bytes on disk of the package itself and with everything that npm installs along with it. */
  readonly ownBytes: number;
  readonly allBytes: number;
}

/** One agent does all the work in one session, and may delegate. */
const createContender = (name: string, orchestrator: string, delegate: Delegate): Contender => ({
  name,
  orchestrator,
  delegate,
  finish: (_job, summary) => say(summary),
  feature: featureAlone,
  quickFix: (directory) => [...fix(directory), say(summarise(0, 1))],
  byHand: (count) => featureByHand(delegate, count),
});

/** OpenCode's own tool for delegations. @param reader whom it is to call for looks @param other for all else */
const taskTool =
  (reader: string, other: string): Delegate =>
  (job, prompt, number) =>
    call("task", {
      description: `${job} ${number}`,
      prompt,
      subagent_type: job === "read" ? reader : other,
    });

/** Sisyphus hands work to agents that write by its category, and waits for it. */
const bySisyphus: Delegate = (job, prompt, number) => {
  const whom = job === "read" ? { subagent_type: "explore" } : { category: "quick" };
  const rest = { load_skills: [], run_in_background: false };
  return call("task", { description: `${job} ${number}`, prompt, ...whom, ...rest });
};

/** OpenCode alone, in one session. */
export const NATIVE = createContender("native OpenCode", "build", taskTool("explore", "general"));

/**
 * Other orchestrators, in two ways: the main agent works alone, or hands out all files at once. Of what their prompts ask for
 * only what the work itself needs: no plan agents, to-do lists, explorers or background tasks, each of which costs turns.
 */
export const PEERS = [
  createContender("oh-my-opencode", "Sisyphus - ultraworker", bySisyphus),
  createContender("oh-my-opencode-slim", "orchestrator", taskTool("explorer", "fixer")),
].map((alone): Contender => {
  const feature: Contender["feature"] = (count, directory) => featureAtOnce(alone.delegate, count, directory);
  return { ...alone, also: [{ ...alone, name: `${alone.name}, delegating`, feature }] };
});
