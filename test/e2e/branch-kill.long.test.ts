import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { recordOf } from "../../src/lib/json.ts";
import { messagesOf, toolResults, type RecordedRequest } from "../../src/scripted-model/request.ts";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { startOpenCode, type OpenCodeServer } from "../support/opencode.ts";
import { openProject, type Project } from "../support/project.ts";
import { HEPHAESTUS_DONE, plan, UNIT } from "./collaboration-scenes.ts";
import { check, reviewed } from "./gates-scenes.ts";
import { lastText } from "../support/scripted-model.ts";

/** Runs that are killed, each at a moment of its own; `BRANCH_KILL_RUNS=20` for more. */
const RUNS = Number(process.env["BRANCH_KILL_RUNS"] ?? 2);
/** Side by side: one kill meets each of them somewhere else. */
const AT_ONCE = 4;
/** From the beginning of a run to its end, by events of the host, and what one begins later than the one before. */
const LATEST = 320;
const APART = 60;
const PATIENCE_MS = 240_000;

const FILE = "shared.txt";
const text = (first: string, last: string): string =>
  `${[first, ...Array.from({ length: 9 }, (_, at) => `line ${at}`), last].join("\n")}\n`;
const task = (number: number, name: string): string =>
  `- [ ] ${number}. Change ${name}\n  - agent: hephaestus\n  - wave: 1\n  - files: ${name}.txt\n  - verify: grep -q ${name} ${FILE}\n`;
const PLAN = `## Goal\n\nOne file.\n\n## Tasks\n\n${task(1, "top")}${task(2, "end")}`;
const RECORDED = { log_entry: "x", decisions: [], learnings: [], plan_updates: [], session_summary: "x" };

interface Feature {
  readonly project: Project;
  readonly session: string;
  readonly before: string;
}

/** The user's tree, index, branch and stash. */
async function usersOf(project: Project): Promise<string> {
  const asked = [
    ["status", "--porcelain"],
    ["symbolic-ref", "HEAD"],
    ["rev-parse", "HEAD"],
    ["stash", "list"],
  ];
  const told: string[] = [];
  for (const args of asked) told.push(await project.git(...args));
  const index = await readFile(join(project.directory, ".git/index"), "hex");
  return [...told, await project.read(FILE), await project.read("mine.txt"), index].join("\n");
}

/** What is still to be done, by what the record shows. */
async function next(project: Project, request: RecordedRequest): Promise<Turn> {
  const body = await readFile(join(project.directory, ".gaia/unit/plan.md"), "utf8").catch(() => "");
  if (body === "") return UNIT;
  const [last] = toolResults(request).slice(-1).map(recordOf);
  if (String(last?.["hint"]).includes("read_work_unit to go on")) return plan("read_work_unit");
  if (!body.includes("Change end")) return plan("update_plan", { content: { markdown: PLAN } });
  const isOver = messagesOf(request.body).at(-1)?.role === "tool" && last?.["status"] === "finished";
  return isOver ? say("All done.") : plan("run", { commit: "Change both" });
}

/** Does it where it is not done yet. */
function implement(request: RecordedRequest): Turn {
  if (messagesOf(request.body).at(-1)?.role === "tool") return result(HEPHAESTUS_DONE);
  const name = /Change (\w+)/u.exec(lastText(request, "user"))?.[1] ?? "";
  const edit = `sed -i '${name === "top" ? "1" : "$"}s/^.*$/${name}/' ${FILE}`;
  return call("bash", { command: edit, description: "Work" });
}

async function begin(server: OpenCodeServer): Promise<Feature> {
  const project = await openProject({
    server,
    patienceMs: PATIENCE_MS,
    gaia: {
      mode: "autopilot",
      lanes: { mode: "auto", land: "branch" },
      definitionOfDone: { checks: [check("whole", `test -s ${FILE}`)] },
    },
    files: { [FILE]: text("first", "last"), ".gitignore": ".gaia/\n" },
  });
  project.model.always("gaia", async (request) => next(project, request));
  project.model.always("hephaestus", implement);
  project.model.always("hades", reviewed("hades"));
  project.model.always("demeter", result(RECORDED));
  project.autoAnswer(() => "once");
  await project.git("config", "user.name", "T");
  await project.git("config", "user.email", "t@example.com");
  await project.write("mine.txt", "uncommitted\n");
  await project.git("add", "mine.txt");
  const before = await usersOf(project);
  return { project, session: await project.start("gaia", "Build it"), before };
}

async function goOn({ project: killed, session, before }: Feature, server: OpenCodeServer): Promise<void> {
  // What git itself leaves behind when it is killed, a person takes away.
  await rm(join(killed.directory, ".git/worktrees/unit/index.lock"), { force: true });
  const project = await openProject({ server, resume: killed, patienceMs: PATIENCE_MS });
  project.autoAnswer(() => "once");
  await project.start("gaia", "Go on", { session });
  await project.until("the end of the run", async () => {
    const { text: said, error, tools } = await project.outcome(session);
    if (error !== null) throw new Error(JSON.stringify([error, tools.slice(-4)], null, 1));
    return said === "All done.";
  });
  expect(await usersOf(project)).toBe(before);
  expect(await project.git("show", `gaia/unit:${FILE}`)).toBe(text("top", "end"));
  expect(await project.git("log", "--format=%s", "main..gaia/unit")).toBe("Change both\n");
  const [, place = ""] = (await project.git("worktree", "list", "--porcelain")).split("\n\n");
  const folder = /^worktree (.+)$/mu.exec(place)?.[1] ?? "";
  expect(await project.git("-C", folder, "status", "--porcelain")).toBe("");
  await project.git("merge", "-q", "gaia/unit");
  expect(await project.read(FILE)).toBe(text("top", "end"));
  await project.close();
}

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

it(
  `a unit's branch holds all of it, once, and the user's tree nothing, after kill -9 at ${RUNS} moments of a run`,
  async () => {
    let server = await startOpenCode();
    try {
      for (let done = 0; done < RUNS; done += AT_ONCE) {
        const open: Feature[] = [];
        for (let at = done; at < Math.min(done + AT_ONCE, RUNS); at += 1) {
          const feature = await begin(server);
          open.push(feature);
          await untilEvents(feature, (at * 37) % APART);
        }
        // A moment further on each time.
        const [first] = open;
        if (first !== undefined) await untilEvents(first, 40 + ((done * 53) % LATEST));
        await pause((done * 7) % 40);
        server = await server.restart();
        const ends = await Promise.allSettled(open.map(async (feature) => goOn(feature, server)));
        const failed = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
        expect(failed, `runs from ${done}`).toEqual([]);
      }
    } finally {
      await server.close();
    }
  },
  300_000 + RUNS * 30_000,
);
