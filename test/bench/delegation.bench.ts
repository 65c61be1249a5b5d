import { messagesOf, type RecordedRequest } from "../../src/scripted-model/request.ts";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { parentOf } from "../support/simulated-model/recording.ts";
import { median } from "./figures.ts";
import { inFolder, inOpenCode } from "./opencode.ts";

/**
 * What delegation costs, against OpenCode's own subagents in the same run, measured at the model server: from the last
 * byte of one answer to the first of the next request: `npx tsx test/bench/delegation.bench.ts` after `npm run build`;
 * ROUNDS sets the samples.
 */
const ROUNDS = Number(process.env["ROUNDS"] ?? 15);
const WARM_UP = 3;

const CONTRACT = result({
  answer: "It.",
  repo_map: "",
  vcs_type: "git",
  plan: [],
  risk_list: [],
  suggested_agents: [],
});

/** One way to delegate: whom the user speaks to, and what the model then calls. */
interface Way {
  readonly project: Project;
  readonly agent: string;
  delegate(background: boolean): Turn;
}

/** What was measured with GAIA and with native OpenCode, in milliseconds. */
interface Samples<T> {
  readonly ours: T[];
  readonly native: T[];
}

interface Sample {
  readonly overhead: number;
  /** Parent's answer → first child's request; last child's answer → parent's next request. */
  readonly start: number;
  readonly end: number;
}

const isChild = (request: RecordedRequest): boolean => parentOf(request) !== "";

await inFolder(async (root) =>
  inOpenCode(
    root,
    async (server) => {
      const open = async (plugin: boolean): Promise<Project> =>
        openProject({
          server,
          plugin,
          patienceMs: 180_000,
          config: { snapshot: true, watcher: {} },
          gaia: { startup: { askAtTaskStart: false } },
        });
      const ours: Way = {
        project: await open(true),
        agent: "gaia",
        delegate: (background) =>
          call("delegate_gaia", {
            agent: "minerva",
            goal: "look",
            ...(background && { background }),
          }),
      };
      const native: Way = {
        project: await open(false),
        agent: "build",
        delegate: (background) =>
          call("task", {
            description: "look",
            prompt: "look",
            subagent_type: "general",
            ...(background && { background }),
          }),
      };
      try {
        for (const delayMs of [0, 500]) await compareWith(delayMs, ours, native);
      } finally {
        await ours.project.close();
        await native.project.close();
      }
    },
    { variables: { OPENCODE_EXPERIMENTAL_BACKGROUND_SUBAGENTS: "true" } },
  ),
);

/** @param delayMs how long a child's model takes to answer */
async function compareWith(delayMs: number, ours: Way, native: Way): Promise<void> {
  const compare = async <T>(measure: (way: Way) => Promise<T>): Promise<Samples<T>> => {
    const taken: Samples<T> = { ours: [], native: [] };
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      const order = [ours, native];
      for (const way of round % 2 === 0 ? order : order.toReversed()) {
        const sample = await measure(way);
        if (round >= 0) taken[way === ours ? "ours" : "native"].push(sample);
      }
    }
    return taken;
  };
  const runs = await compare(async (way) => runSync(way, delayMs));
  const of = (field: keyof Sample): Samples<number> => ({
    ours: runs.ours.map((run) => run[field]),
    native: runs.native.map((run) => run[field]),
  });
  report(`sync, model answers in ${delayMs} ms: overhead`, of("overhead"));
  report("  of that until the child's request", of("start"));
  report("  of that from the child's last byte", of("end"));
  const samples = await compare(async (way) => runBackground(way, delayMs + 1_000));
  report(`background, ${delayMs} ms model: child's last byte to parent's next request`, samples);
}

/** Parent's answer → parent's next request; the child's own time is no overhead. */
async function runSync(way: Way, delayMs: number): Promise<Sample> {
  const { model } = way.project;
  const from = model.requests.length;
  answerWith(way, way.delegate(false), delayMs);
  const eventsFrom = way.project.events.length;
  const session = await way.project.start(way.agent, "Go");
  await way.project.until("the end of the turn", () =>
    way.project.events
      .slice(eventsFrom)
      .some(({ type, properties }) => type === "session.idle" && properties["sessionID"] === session),
  );
  const requests = model.requests.slice(from);
  const parents = requests.filter((request) => !isChild(request));
  const [child, ...others] = requests.filter((request) => isChild(request));
  const [first, last] = [parents[0], parents.at(-1)];
  if (
    parents.length !== 2 ||
    child === undefined ||
    others.length > 0 ||
    first === undefined ||
    last === undefined
  )
    throw new Error(`${way.agent}: ${requests.length} requests, ${parents.length} of the parent`);
  const began = first.endedAt ?? 0;
  return {
    overhead: last.at - began - delayMs,
    start: child.at - began,
    end: last.at - (child.endedAt ?? 0),
  };
}

/** From the background child's last byte to the parent's next request, the parent being idle since long. */
async function runBackground(way: Way, childMs: number): Promise<number> {
  const { model } = way.project;
  const from = model.requests.length;
  answerWith(way, way.delegate(true), childMs);
  const session = await way.project.start(way.agent, "Go");
  const parents = await way.project.until("the parent to be woken", () => {
    const found = model.requests.slice(from).filter((request) => !isChild(request));
    return found.length >= 3 && found;
  });
  await way.project.idle(session);
  const child = model.requests.slice(from).find((request) => isChild(request));
  return (parents[2]?.at ?? 0) - (child?.endedAt ?? 0);
}

/** The parent delegates in its first turn and is short in all others; children answer after a while. */
function answerWith(way: Way, first: Turn, childMs: number): void {
  const answer = (request: RecordedRequest): Turn => {
    if (isChild(request)) return { ...CONTRACT, delayMs: childMs };
    const isFirst = messagesOf(request.body).filter(({ role }) => role !== "system").length === 1;
    return isFirst ? first : say("Done.");
  };
  for (const agent of ["native", "gaia", "minerva"]) way.project.model.always(agent, answer);
}

function report(what: string, samples: Samples<number>): void {
  const [own, theirs] = [median(samples.ours) ?? 0, median(samples.native) ?? 0];
  const [shown, shownTheirs] = [own, theirs].map((ms) => `${Math.round(ms)} ms`.padStart(9));
  console.log(`${what.padEnd(72)} ${shown} GAIA ${shownTheirs} native  ratio ${(own / theirs).toFixed(2)}`);
}
