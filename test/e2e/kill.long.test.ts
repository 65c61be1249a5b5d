import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { parseJson, recordOf } from "../../src/lib/json.ts";
import {
  contentText,
  messagesOf,
  toolResults,
  type RecordedRequest,
} from "../../src/scripted-model/request.ts";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { entryTexts } from "../support/entries.ts";
import { startOpenCode, type OpenCodeServer } from "../support/opencode.ts";
import { openProject, type Project } from "../support/project.ts";
import { randomOf } from "../support/random.ts";
import { done, HARVEST, has, plan, UNIT, write } from "./scenes.ts";

/** Features that are killed at some moment, each once; `KILL_RUNS=50` for the long run. */
const RUNS = Number(process.env["KILL_RUNS"] ?? 2);
const SEED = Number(process.env["KILL_SEED"] ?? 7);
/** Features that run side by side, so that one kill meets each of them somewhere else. */
const AT_ONCE = 5;
/** A feature begins once the one before has had up to so many events. */
const APART = 30;
/** The kill comes when one of them has had up to so many, which is all that it takes, and a little later, in milliseconds. */
const LATEST = 200;
const LATER_MS = 40;
/** Until one of them is at its end, also on a machine that is busy, in milliseconds. */
const PATIENCE_MS = 240_000;

const TASKS = "## Goal\nIt.\n\n## Tasks\n- [ ] 1. Write it\n- [ ] 2. Commit it\n";
const LEARNT = {
  ...HARVEST,
  log_entry: "The feature is written and committed.",
  learnings: ["pattern: one file is enough"],
  plan_updates: ["tick 1", "tick 2"],
};

/** A feature on its way. */
interface Feature {
  readonly project: Project;
  readonly session: string;
}

const textOf = async ({ directory }: Project, path: string): Promise<string> =>
  readFile(join(directory, ".gaia/unit", path), "utf8").catch(() => "");
const commitsOf = async (project: Project): Promise<number> =>
  (await project.git("log", "--format=%s")).split("\n").filter((line) => line === "Feature").length;

/** Whether GAIA was given what the historian returned; it is in the record a moment later. */
function isHarvested({ body }: RecordedRequest): boolean {
  return messagesOf(body).some(({ role, content }) => {
    const { agent, status } = recordOf(role === "tool" ? parseJson(contentText(content)) : null);
    return agent === "demeter" && status === "completed";
  });
}

/** A GAIA that does what is still to be done, by what the project and her own transcript show. */
async function next(project: Project, request: RecordedRequest): Promise<Turn> {
  const isWaveOpen = toolResults(request).some((answer) => recordOf(answer)["approved"] === true);
  const delegate = (goal: string): Turn =>
    isWaveOpen
      ? call("delegate_gaia", { agent: "hephaestus", goal, wave_id: "w1" })
      : plan("open_wave", { wave_id: "w1" });
  const body = await textOf(project, "plan.md");
  if (body === "") return UNIT;
  // Killed before she was given the unit that she had made, she is told how to take it up.
  const [last] = toolResults(request).map(recordOf);
  if (String(last?.["hint"]).includes("read_work_unit to go on")) return plan("read_work_unit");
  if (!body.includes("Commit it"))
    return plan("update_plan", { content: { markdown: TASKS }, status: "in-progress" });
  if (!has(project, "a.txt")) return delegate("write a.txt");
  if ((await commitsOf(project)) === 0) {
    // Killed before it was noted who wrote the file, it counts as the user's, who commits it then.
    if (!String(last?.["why"]).includes("the user's own (a.txt)"))
      return plan("commit", { commit: "Feature" });
    await project.git("add", "a.txt");
    await project.git("commit", "-qm", "Feature");
  }
  if (!isHarvested(request) && !(await textOf(project, "log.md")).includes("Recorded by demeter"))
    return call("delegate_gaia", { agent: "demeter", goal: "record it" });
  return say("All done.");
}

function implement(project: Project): Turn {
  return has(project, "a.txt") ? done : write(project, "a.txt");
}

async function begin(server: OpenCodeServer, isSupervised: boolean): Promise<Feature> {
  const project = await openProject({
    server,
    patienceMs: PATIENCE_MS,
    gaia: isSupervised ? {} : { mode: "autopilot" },
  });
  project.model.always("gaia", async (request) => next(project, request));
  project.model.always("hephaestus", () => implement(project));
  project.model.always("demeter", result(LEARNT));
  project.autoAnswer(() => "once");
  return { project, session: await project.start("gaia", "Build it") };
}

async function goOn({ project: before, session }: Feature, server: OpenCodeServer): Promise<void> {
  // What git itself leaves behind when it is killed, a person takes away.
  await rm(join(before.directory, ".git/index.lock"), { force: true });
  const project = await openProject({ server, resume: before, patienceMs: PATIENCE_MS });
  project.autoAnswer(() => "once");
  await project.start("gaia", "Go on", { session });
  await project.until("the end of the feature", async () => {
    const { text, error, tools } = await project.outcome(session);
    if (error !== null) throw new Error(JSON.stringify([error, tools.slice(-4)], null, 1));
    return text === "All done.";
  });
  await check(project);
  await project.close();
}

/** Everything that has to be true of a feature, wherever it was killed. */
async function check(project: Project): Promise<void> {
  expect(await commitsOf(project)).toBe(1);
  const log = await project.until("the historian's entry", async () => {
    const text = await textOf(project, "log.md");
    return text.includes("Recorded by demeter") && text;
  });
  expect(log.match(/Recorded by demeter/g), log).toHaveLength(1);
  expect(log.match(/The feature is written and committed/g), log).toHaveLength(1);
  const lines = log.split("\n").filter((line) => /^- \w+, /.test(line));
  const ids = lines.map((line) => /`(task_\w+)`$/.exec(line)?.[1]);
  expect(ids, log).not.toContain(undefined);
  expect(new Set(ids).size, log).toBe(ids.length);
  expect(log).toMatch(/^- hephaestus, .*: write a.txt/m);
  expect(await textOf(project, "plan.md")).toMatch(/^# [^]*- \[x\] 1\. Write it\n- \[x\] 2\. Commit it\n/);
  expect(await textOf(project, "decisions.md")).toMatch(/^# [^]*\| Date \|/);
  const active = await project.read(".gaia/.local/active.json");
  expect(recordOf(parseJson(active)), active).not.toEqual({});
  const entries = await entryTexts(project.directory);
  expect(entries.match(/one file is enough/g), entries).toHaveLength(1);
}

/** Waits until a feature has had so many events, or has come to its end. */
async function untilEvents({ project, session }: Feature, count: number): Promise<void> {
  await project.until(
    `${count} events`,
    () =>
      project.events.length >= count ||
      project.events.some(
        ({ type, properties }) => type === "session.idle" && properties["sessionID"] === session,
      ),
  );
}

/** Begins features, each somewhere else when the moment to kill comes, and waits for that moment. */
async function untilKilled(server: OpenCodeServer, indices: readonly number[], random: () => number) {
  const open: Feature[] = [];
  for (const index of indices) {
    const feature = await begin(server, index % 2 === 1);
    open.push(feature);
    await untilEvents(feature, Math.floor(random() * APART));
  }
  const chosen = open[Math.floor(random() * open.length)];
  if (chosen !== undefined) await untilEvents(chosen, Math.floor(random() * LATEST));
  await pause(random() * LATER_MS);
  return open;
}

it(
  `goes on to the end after kill -9 at ${RUNS} moments of a feature: nothing is done or recorded twice, nothing is lost`,
  async () => {
    const random = randomOf(SEED);
    let server = await startOpenCode();
    try {
      for (let done = 0; done < RUNS; done += AT_ONCE) {
        const indices = Array.from({ length: Math.min(AT_ONCE, RUNS - done) }, (_, index) => done + index);
        const open = await untilKilled(server, indices, random);
        server = await server.restart();
        const ends = await Promise.allSettled(open.map(async (feature) => goOn(feature, server)));
        const failed = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
        expect(failed, `features from ${done}`).toEqual([]);
      }
    } finally {
      await server.close();
    }
  },
  300_000 + RUNS * 20_000,
);
