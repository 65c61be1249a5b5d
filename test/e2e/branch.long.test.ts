import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { recordOf } from "../../src/lib/json.ts";
import { toolResults, type RecordedRequest } from "../../src/scripted-model/request.ts";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { lastText } from "../support/scripted-model.ts";
import { HEPHAESTUS_DONE, notesOf, plan, type, UNIT } from "./collaboration-scenes.ts";
import { check, follow, LONG_MS, reviewed } from "./gates-scenes.ts";
import { FILE, PLAN, bash, planOf, recorded, reports, text } from "./lanes-scenes.ts";

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
/** A plan of one such task. */
const oneTask = (name: string): string => {
  const markdown = planOf(name, "end");
  return markdown.slice(0, markdown.indexOf("- [ ] 2."));
};
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

  it("works without worktrees of tasks as well, is fixed after a review, and keeps what a hook does not let in", async () => {
    await open({ mode: "off" }, (name) => [...work(name), done, bash(`echo fixed >> ${name}.txt`)]);
    const hook = join(project.directory, ".git/hooks/pre-commit");
    await writeFile(hook, "#!/bin/sh\necho hook says no\nexit 1\n", { mode: 0o755 });
    const before = await users();
    const no = { verdict: "REJECT", reason: `${FILE} lacks something` };
    project.model.script("hades", reviewed("hades", no), reviewed("hades"));
    // Two who change one file in one tree do it one after the other.
    const markdown = `${PLAN}  - needs: 1\n`;
    project.model.script("gaia", UNIT, plan("update_plan", { content: { markdown } }), RUN, say("Blocked."));
    const stopped = await follow(project, "Build it");
    const [report] = reports(stopped);
    expect(report).toMatchObject({ ok: false });
    expect(report?.["why"]).toContain("The repository's pre-commit hook refused the commit");
    expect(JSON.stringify(report?.["notes"])).toContain("3 files of it not committed");
    expect(report?.["why"]).toContain("hook says no");
    expect(said("hephaestus")).toMatch(/^gaia\/unit$/mu);
    expect(await users()).toBe(before);
    await chmod(hook, 0o644);
    project.model.always("hades", reviewed("hades"));
    project.model.script("gaia", RUN, say("Built."));
    const built = await follow(project, "The hook is gone", stopped.sessionId);
    expect(reports(built).at(-1)).toMatchObject({ ok: true, status: "finished", open: [] });
    expect(await users()).toBe(before);
    expect(await onBranch()).toBe(text({ 1: "top;", 12: "end;" }));
    expect(await project.git("show", "gaia/unit:end.txt")).toBe("made\nfixed\n");
  });

  it("is looked at by GAIA there, and pushed as it is beside commits of the user's own, also once it is archived", async () => {
    await open({ mode: "auto" }, work);
    const remote = join(project.directory, ".git/remote.git");
    await project.git("init", "-q", "--bare", "-b", "main", remote);
    // From the user's own tree, and so from no other.
    await project.git("remote", "add", "origin", "./.git/remote.git");
    await project.git("push", "-q", "origin", "main");
    await project.write(
      ".git/fake-gh",
      `echo "$@" >> '${project.directory}/.git/gh-calls'; [ "$2" = list ] && echo "[]"; [ "$2" = create ] && echo https://github.com/acme/app/pull/1; exit 0`,
    );
    const asked: string[] = [];
    project.autoAnswer(({ permission }) => (asked.push(permission), "once"));
    project.model.always("hades", reviewed("hades"));
    project.model.script(
      "gaia",
      UNIT,
      plan("update_plan", { content: { markdown: oneTask("top") } }),
      RUN,
      say("Built."),
    );
    const { sessionId } = await follow(project, "Build it");
    await project.write("own.txt", "the user's\n");
    await project.git("add", "own.txt");
    await project.git("commit", "-qm", "Own");
    const before = await users();
    const folder = (await project.git("worktree", "list")).split("\n")[1]?.replace(/ +\w+ \[.*$/u, "") ?? "";
    project.model.script(
      "gaia",
      call("read", { filePath: join(folder, FILE) }),
      bash(`git -C '${folder}' show --stat HEAD`),
      say("Looked."),
    );
    const { tools } = await follow(project, "What is in it?", sessionId);
    expect(lastText(project.model.requestsOf("gaia").at(-1)!, "user")).toContain(
      `The work of unit stands in ${folder} (branch gaia/unit)`,
    );
    const looked = tools.slice(-2).map(({ output }) => output);
    expect(looked[0]).toContain("top;");
    expect(looked[1]).toContain("Change both");
    // What is the plugin's own is no other folder to her.
    expect(asked).not.toContain("external_directory");
    project.model.script(
      "gaia",
      call("delegate_gaia", { agent: "demeter", goal: "harvest" }),
      plan("archive_work_unit", { slug: "unit" }),
      plan("request_pr", {}),
      say("Closed."),
    );
    await type(project, sessionId, "gaia-unify");
    expect(asked.join("\n")).toContain("gaia_approval: push gaia/unit (1 commit) to");
    const pushed = await project.git("ls-remote", "origin", "gaia/unit");
    expect(pushed).toContain((await project.git("rev-parse", "gaia/unit")).trim());
    expect(await project.git("ls-remote", "origin", "main")).not.toContain(
      (await project.git("rev-parse", "main")).trim(),
    );
    expect(await project.read(".git/gh-calls")).toMatch(/\npr create .*--head=gaia\/unit /);
    expect(await project.read(".gaia/.local/pull-requests/unit.md")).not.toContain("own.txt");
    expect((await notesOf(project, sessionId)).join("\n")).toContain("npx opencode-gaia lanes remove unit");
    expect(await users()).toBe(before);
  });

  it("builds two units of two conversations at once, each on its own branch", async () => {
    await open({ mode: "auto" }, work);
    await project.write("mine.txt", "uncommitted\n");
    const before = await users();
    project.model.always("hades", reviewed("hades"));
    const turnsOf = (slug: string, markdown: string): Turn[] => [
      plan("create_work_unit", { slug, title: slug }),
      plan("update_plan", { content: { markdown } }),
      RUN,
      say(`Built ${slug}.`),
    ];
    const turns = new Map([
      ["one", turnsOf("one", oneTask("top"))],
      ["two", turnsOf("two", oneTask("north"))],
    ]);
    project.model.always("gaia", (request) => {
      const slug = /^Build (\w+)$/mu.exec(lastText(request, "user"))?.[1] ?? "";
      return turns.get(slug)?.shift() ?? say("Nothing is left to do.");
    });
    const built = await Promise.all([follow(project, "Build one"), follow(project, "Build two")]);
    for (const outcome of built)
      expect(reports(outcome)).toEqual([expect.objectContaining({ ok: true, status: "finished", open: [] })]);
    expect(await users()).toBe(before);
    expect(await project.git("show", `gaia/one:${FILE}`)).toBe(text({ 1: "top;" }));
    expect(await project.git("show", `gaia/two:${FILE}`)).toBe(text({ 3: "north;" }));
    for (const [slug, own] of [
      ["one", ["top.txt"]],
      ["two", ["north.txt"]],
    ] as const) {
      const made = await project.git("diff", "--name-only", "--diff-filter=A", "main", `gaia/${slug}`);
      expect(made.trim().split("\n")).toEqual(own);
      expect(await project.git("log", "--format=%s", `main..gaia/${slug}`)).toBe("Change both\n");
    }
    const log = async (slug: string): Promise<string> => project.read(`.gaia/${slug}/log.md`);
    expect(await log("one")).not.toMatch(/north/);
    expect(await log("two")).not.toMatch(/\btop\b/);
  });
});
