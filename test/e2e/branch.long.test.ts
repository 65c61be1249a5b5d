import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { recordOf } from "../../src/lib/json.ts";
import { toolResults, type RecordedRequest } from "../../src/scripted-model/request.ts";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { lastText } from "../support/scripted-model.ts";
import { HEPHAESTUS_DONE, notesOf, plan, type, UNIT } from "./collaboration-scenes.ts";
import { check, follow, LONG_MS, reviewed } from "./gates-scenes.ts";
import { FILE, PLAN, bash, recorded, reports, text } from "./lanes-scenes.ts";

let project: Project;
afterEach(async () => project.close());
vi.setConfig({ testTimeout: LONG_MS });

const done = result(HEPHAESTUS_DONE);
const RUN = plan("run", { commit: "Change both" });
const said = (agent: string): string =>
  project.model
    .requestsOf(agent)
    .map((request) => recordOf({ said: toolResults(request).at(-1) })["said"])
    .filter((each) => typeof each === "string")
    .join("\n");

/** What the user has, as git and the disk tell it. */
async function users(): Promise<string> {
  const asked = [
    ["status", "--porcelain"],
    ["symbolic-ref", "HEAD"],
    ["rev-parse", "HEAD"],
  ];
  const told: string[] = [];
  for (const args of asked) told.push(await project.git(...args));
  return [
    ...told,
    await project.read(FILE),
    await readFile(join(project.directory, ".git/index"), "hex"),
  ].join("\n");
}

/** @param steps of a specialist, by the name of the task */
async function open(lanes: object, steps: (name: string) => readonly Turn[]): Promise<void> {
  project = await openProject({
    gaia: {
      mode: "autopilot",
      lanes: { land: "branch", ...lanes },
      definitionOfDone: { checks: [check("whole", `test -s '${FILE}'`)] },
    },
    files: { [FILE]: text(), ".gitignore": ".gaia/\n" },
  });
  project.autoAnswer(() => "once");
  await project.git("config", "user.name", "T");
  await project.git("config", "user.email", "t@example.com");
  const turns = new Map<string, number>();
  project.model.always("hephaestus", (request: RecordedRequest) => {
    const name = /Change (\w+)/.exec(lastText(request, "user"))?.[1] ?? "";
    const key = `${request.sessionId} ${name}`;
    const turn = turns.get(key) ?? 0;
    turns.set(key, turn + 1);
    return steps(name)[turn] ?? done;
  });
  project.model.always("demeter", recorded);
}
const read = call("read", { filePath: FILE });
const edit = (from: string, to: string): Turn =>
  call("edit", { filePath: join(project.directory, FILE), oldString: from, newString: to });
/** The line that a task changes, by its name. */
const LINE_OF: Record<string, number> = { top: 1, north: 3, end: 12 };
const work = (name: string): readonly Turn[] => [
  read,
  edit(`line ${LINE_OF[name]};`, `${name};`),
  bash(`echo made > ${name}.txt && pwd && git branch --show-current`),
];
const onBranch = async (): Promise<string> => project.git("show", `gaia/unit:${FILE}`);

describe("plan_gaia run with lanes.land: branch", () => {
  it("builds, lands, reviews and commits on the unit's branch, and leaves the user's tree as it is", async () => {
    await open({ mode: "auto" }, work);
    await project.write("mine.txt", "uncommitted\n");
    await project.git("add", "mine.txt");
    await project.write(FILE, text({ 7: "mine;" }));
    const before = await users();
    project.model.script("hades", call("read", { filePath: FILE }), reviewed("hades"));
    project.model.script(
      "gaia",
      UNIT,
      plan("update_plan", { content: { markdown: PLAN } }),
      RUN,
      say("Built."),
    );
    const outcome = await follow(project, "Build it");
    expect(reports(outcome)).toEqual([expect.objectContaining({ ok: true, status: "finished", open: [] })]);
    expect(await users()).toBe(before);
    expect(await onBranch()).toBe(text({ 1: "top;", 12: "end;" }));
    expect(await project.git("log", "--format=%s", "main..gaia/unit")).toBe("Change both\n");
    // The reviewer sees the work, and nothing of the user's.
    const [review] = project.model.requestsOf("hades");
    expect(JSON.stringify(review)).toContain("+top;");
    expect(JSON.stringify(review)).not.toContain("mine;");
    expect(said("hades")).toContain("top;");
    expect(said("hephaestus")).not.toContain("opencode-gaia/worktree");
    const notes = JSON.stringify(reports(outcome)[0]?.["notes"]);
    expect(notes).toContain("Take it in: git merge gaia/unit");
    expect((await notesOf(project, outcome.sessionId)).join("\n")).toContain(
      "without 2 files that you have not committed",
    );
    project.model.script("gaia", say("Status shown."), say("Shown."));
    await type(project, outcome.sessionId, "gaia-status");
    expect((await notesOf(project, outcome.sessionId)).join("\n")).toContain(
      "the work stands on branch gaia/unit in",
    );
    await type(project, outcome.sessionId, "gaia-pr");
    const offered = (await notesOf(project, outcome.sessionId)).join("\n");
    expect(offered).toMatch(/pull request, unit: A unit[^]*By hand/u);
    await project.git("stash", "-q");
    await project.git("merge", "-q", "gaia/unit");
    expect(await project.read("top.txt")).toBe("made\n");
  });
});
