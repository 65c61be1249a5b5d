import { afterAll, beforeAll, expect, it } from "vitest";
import { recordOf, type JsonRecord } from "../../src/lib/json.ts";
import { call, say } from "../../src/scripted-model/turn.ts";
import { startOpenCode, type OpenCodeServer } from "../support/opencode.ts";
import { openProject, type Project, callAll } from "../support/project.ts";
import { reopen } from "../support/reopen.ts";
import { assertNothingLeft } from "../support/server-log.ts";
import { delegate, done, has, plan, resultsOf, wordsOf, write } from "./scenes.ts";

const UNITS = ["one", "two", "three", "four"];
const planOf = (slug: string): string =>
  `# ${slug}\n\n> Status: draft\n\n## Goal\n\nGo.\n\n## Tasks\n\n- [ ] 1. Write it\n  - wave: w1\n  - agent: hephaestus\n  - files: a.txt\n  - verify: true\n\n## Done When\n\n- [ ] it is there\n`;

/** Two OpenCodes of one user in one project. */
let servers: [OpenCodeServer, OpenCodeServer];
let projects: [Project, Project];

beforeAll(async () => {
  const first = await startOpenCode();
  const second = await startOpenCode(first.root);
  servers = [first, second];
  const project = await openProject({
    server: first,
    trusted: false,
    gaia: { visibility: "quiet", definitionOfDone: { checks: [{ id: "a", command: "touch ran-a" }] } },
    files: {
      // What git does not ignore is put back when a check is over.
      ".gitignore": "ran-a\n",
      ...Object.fromEntries(UNITS.map((slug) => [`.gaia/${slug}/plan.md`, planOf(slug)])),
    },
  });
  projects = [project, await openProject({ server: second, resume: project })];
  project.model.always("title", say("A title"));
});
afterAll(async () => {
  await servers[1].kill();
  await projects[0].close();
  await servers[0].close();
});

/** The answer to the last call of a session. */
async function lastAnswer(project: Project, session: string): Promise<JsonRecord> {
  const { tools } = await project.outcome(session);
  return recordOf(JSON.parse(tools.at(-1)?.output || "{}"));
}

/** Has GAIA do this in a session of its own in each of them, and answers both dialogs in the same moment. */
async function inBoth(
  begin: (project: Project, session: string, at: number) => Promise<unknown>,
  answers: readonly ["once" | "reject", "once" | "reject"],
): Promise<JsonRecord[]> {
  const open = await Promise.all(
    projects.map(async (project, at) => {
      const session = await project.session();
      const done = begin(project, session, at);
      const asked = await project.permission(({ sessionID }) => sessionID === session);
      return { project, session, done, asked };
    }),
  );
  await Promise.all(
    open.map(async ({ project, asked }, at) => project.answer(asked, answers[at] ?? "reject")),
  );
  return Promise.all(
    open.map(async ({ project, session, done }) => {
      await done;
      return lastAnswer(project, session);
    }),
  );
}

/** The model serves both: what GAIA is to call is told by the message. */
function gaiaCalls(calls: Readonly<Record<string, ReturnType<typeof call>>>): void {
  projects[0].model.always("gaia", ({ raw, body }) => {
    const messages = body["messages"] as { role: string }[];
    const word = Object.keys(calls).find((each) => raw.includes(each));
    return messages.at(-1)?.role === "tool" || word === undefined
      ? say("Done.")
      : (calls[word] ?? say("Done."));
  });
}

const approve = async (
  units: readonly string[],
  answers: readonly ["once" | "reject", "once" | "reject"],
) => {
  gaiaCalls(
    Object.fromEntries(
      units.map((slug) => [`Approve ${slug}`, plan("request_approval", { kind: "plan", slug })]),
    ),
  );
  return inBoth(
    async (project, session, at) => project.prompt("gaia", `Approve ${units[at] ?? ""}`, { session }),
    answers,
  );
};

it("two OpenCodes in one project approve plans at once: nothing is lost, and nothing approved that was not", async () => {
  expect(await approve(["one", "two"], ["once", "reject"])).toMatchObject([
    { ok: true, approved: true },
    { error: expect.stringContaining("said no") },
  ]);
  expect(await approve(["three", "four"], ["once", "once"])).toMatchObject([
    { ok: true, approved: true },
    { ok: true, approved: true },
  ]);
  const noted = recordOf(JSON.parse(await projects[0].read(".gaia/.local/approvals.json")));
  const approved = Object.entries(noted).filter(([, note]) => recordOf(note)["rejected"] === undefined);
  expect(approved.map(([slug]) => slug).toSorted()).toEqual(["four", "one", "three"]);
  // Each knows what was approved in the other.
  for (const project of projects) {
    project.autoAnswer(() => "reject");
    for (const slug of UNITS) {
      gaiaCalls({ [`Open ${slug}`]: plan("open_wave", { wave_id: "w1", slug }) });
      const { sessionId } = await project.prompt("gaia", `Open ${slug}`);
      const words = wordsOf(await lastAnswer(project, sessionId));
      expect([slug, words]).toEqual([
        slug,
        expect.stringContaining(slug === "two" ? "said no to the plan of two" : "said no"),
      ]);
    }
    project.autoAnswer(() => null);
  }
});

it("one session is open in both: a lock in one holds in the other, at work and at its next message", async () => {
  const [one, other] = projects;
  const { model } = one;
  model.script("gaia", say("Hello."), say("Set."), say("Hello."));
  const { sessionId: session } = await one.prompt("gaia", "Hello");
  await one.prompt("gaia", "/autopilot", { session });
  await other.prompt("gaia", "Hello from here", { session });
  model.script("gaia", delegate(), say("Locked."), say("It was refused."));
  let lock: () => void = () => undefined;
  const locked = new Promise<void>((resolve) => (lock = resolve));
  model.script("hephaestus", async () => locked.then(() => write(other, "locked.txt")), done);
  const work = other.prompt("gaia", "Write it", { session });
  await model.request("hephaestus");
  await one.prompt("gaia", "/locked", { session });
  lock();
  await work;
  expect(has(other, "locked.txt")).toBe(false);
  model.script("gaia", delegate(), say("It was refused again."));
  await other.prompt("gaia", "And now?", { session });
  expect(has(other, "locked.txt")).toBe(false);
});

it("in the middle of a task, with a dialog open, the instance is disposed of: nothing hangs, and it is told", async () => {
  const [, project] = projects;
  const { model } = project;
  const look = call("delegate_gaia", { agent: "apollo", goal: "look", background: true });
  model.script("gaia", callAll(look, delegate(undefined, { background: true })), say("Waiting."));
  model.script("apollo", { text: "half a sentence", trouble: "stall" });
  model.script("hephaestus", write(project, "late.txt"), say("Done."));
  const session = await project.start("gaia", "Go");
  await project.permission(({ permission }) => permission === "edit");
  await model.request("apollo");
  await project.idle(session);
  const begun = resultsOf(await project.outcome(session), "delegate_gaia");

  const after = await reopen(project, { server: servers[1] });
  projects[1] = after;
  expect(await after.call("GET", "/permission")).toEqual([]);
  const task_ids = begun.map((row) => row["task_id"]);
  model.script("gaia", call("collect_results", { task_ids, until: "all" }), say("Over."));
  const { tools } = await after.prompt("gaia", "What became of it?", { session });
  const stopped = { status: "failed", message: expect.stringContaining("stopped while this ran") };
  expect(recordOf(JSON.parse(tools.at(-1)?.output ?? ""))["results"]).toMatchObject([
    { agent: "apollo", ...stopped },
    { agent: "hephaestus", ...stopped },
  ]);
  expect(has(after, "late.txt")).toBe(false);
  await assertNothingLeft(after, 0, servers[0].root);
});
