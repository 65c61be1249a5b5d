import { readdir, readFile } from "node:fs/promises";
import { messagesOf, type RecordedRequest } from "../../src/scripted-model/request.ts";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { openProject, type Project, callAll } from "../support/project.ts";
import { parentOf } from "../support/simulated-model/recording.ts";
import { median } from "./figures.ts";
import { inFolder, inOpenCode } from "./opencode.ts";

/**
 * What delegation costs, against OpenCode's own subagents in the same run, measured at the model server: from the last
 * byte of one answer to the first of the next request: `npx tsx test/bench/delegation.bench.ts` after `npm run build`;
 * ROUNDS sets the samples, ONLY (sync, parallel, background, memory) the parts.
 */
const ROUNDS = Number(process.env["ROUNDS"] ?? 15);
const WARM_UP = 3;
const MANY = 500;
/** Children that are begun together, and how often. */
const PARALLEL = [
  { count: 1, rounds: 5 },
  { count: 3, rounds: 5 },
  { count: 10, rounds: 3 },
  { count: 50, rounds: 3 },
];

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
  /** Each with its own number: OpenCode asks the user about the third call with the same arguments (doom_loop). */
  delegate(number: number, background: boolean): Turn;
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
  readonly wall: number;
}

const isChild = (request: RecordedRequest): boolean => parentOf(request) !== "";
const wanted = (part: string): boolean => (process.env["ONLY"] ?? part).includes(part);

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
          gaia: { startup: { askAtTaskStart: false }, autopilotSafeguards: { maxBackgroundTasks: 50 } },
        });
      const ours: Way = {
        project: await open(true),
        agent: "gaia",
        delegate: (number, background) =>
          call("delegate_gaia", {
            agent: "minerva",
            goal: `look ${number}`,
            ...(background && { background }),
          }),
      };
      const native: Way = {
        project: await open(false),
        agent: "build",
        delegate: (number, background) =>
          call("task", {
            description: "look",
            prompt: `look ${number}`,
            subagent_type: "general",
            ...(background && { background }),
          }),
      };
      try {
        for (const delayMs of [0, 500]) await compareWith(delayMs, ours, native);
        if (wanted("memory")) await memory(ours, server.url);
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
  const compare = async <T>(measure: (way: Way) => Promise<T>, rounds = ROUNDS): Promise<Samples<T>> => {
    const taken: Samples<T> = { ours: [], native: [] };
    for (let round = -Math.min(WARM_UP, rounds - 1); round < rounds; round += 1) {
      const order = [ours, native];
      for (const way of round % 2 === 0 ? order : order.toReversed()) {
        const sample = await measure(way);
        if (round >= 0) taken[way === ours ? "ours" : "native"].push(sample);
      }
    }
    return taken;
  };
  if (wanted("sync")) {
    const runs = await compare(async (way) => runSync(way, 1, delayMs));
    const of = (field: keyof Sample): Samples<number> => ({
      ours: runs.ours.map((run) => run[field]),
      native: runs.native.map((run) => run[field]),
    });
    report(`sync, model answers in ${delayMs} ms: overhead`, of("overhead"));
    report("  of that until the child's request", of("start"));
    report("  of that from the child's last byte", of("end"));
  }
  for (const { count, rounds } of wanted("parallel") ? PARALLEL : []) {
    const walls = await compare(async (way) => (await runSync(way, count, delayMs)).wall, rounds);
    report(`${count} in parallel, model answers in ${delayMs} ms: wall`, walls);
  }
  if (wanted("background")) {
    const samples = await compare(async (way) => runBackground(way, delayMs + 1_000));
    report(`background, ${delayMs} ms model: child's last byte to parent's next request`, samples);
  }
}

/** Parent's answer → parent's next request; the child's own time is no overhead. */
async function runSync(way: Way, count: number, delayMs: number): Promise<Sample> {
  const { model } = way.project;
  const from = model.requests.length;
  const tasks = Array.from({ length: count }, (_, number) => way.delegate(number, false));
  answerWith(way, callAll(...tasks), delayMs);
  const eventsFrom = way.project.events.length;
  const session = await way.project.start(way.agent, "Go");
  await way.project.until("the end of the turn", () =>
    way.project.events
      .slice(eventsFrom)
      .some(({ type, properties }) => type === "session.idle" && properties["sessionID"] === session),
  );
  const requests = model.requests.slice(from);
  const parents = requests.filter((request) => !isChild(request));
  const children = requests.filter((request) => isChild(request));
  const [first, last] = [parents[0], parents.at(-1)];
  if (parents.length !== 2 || children.length !== count || first === undefined || last === undefined)
    throw new Error(`${way.agent}: ${parents.length} requests of the parent, ${children.length} of children`);
  const wall = last.at - (first.endedAt ?? 0);
  const start = Math.min(...children.map(({ at }) => at)) - (first.endedAt ?? 0);
  const end = last.at - Math.max(...children.map(({ endedAt }) => endedAt ?? 0));
  return { wall, overhead: wall - delayMs, start, end };
}

/** From the background child's last byte to the parent's next request, the parent being idle since long. */
async function runBackground(way: Way, childMs: number): Promise<number> {
  const { model } = way.project;
  const from = model.requests.length;
  answerWith(way, way.delegate(0, true), childMs);
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

async function memory(way: Way, url: string): Promise<void> {
  const before = await residentMegabytes(url);
  for (let done = 0; done < MANY; done += 50) await runSync(way, 50, 0);
  const what = `resident memory of OpenCode, ${MANY} more finished tasks`;
  console.log(`${what.padEnd(72)} ${before} → ${await residentMegabytes(url)} MB`);
}

async function residentMegabytes(url: string): Promise<number> {
  const { port } = new URL(url);
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map(async (pid) => [pid, await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")] as const),
  );
  const pid = lines.find(([, line]) => line.endsWith(`--port\0${port}\0`))?.[0];
  const status = await readFile(`/proc/${pid ?? "self"}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
