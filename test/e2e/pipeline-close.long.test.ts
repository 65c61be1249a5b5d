import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { toolResults } from "../../src/scripted-model/request.ts";
import { call, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project, callAll, lastText } from "../support/project.ts";
import {
  check,
  delegate,
  done,
  lastUser,
  notesOf,
  plan,
  planOf,
  recorded,
  reviewed,
  to,
  type,
  UNIT,
  wordsOf,
  write,
} from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());

const told = (): unknown[] => project.model.requestsOf("gaia").map((request) => toolResults(request).at(-1));
const shown = async (session: string): Promise<string> => (await notesOf(project, session)).join("\n");

describe("/gaia-review", () => {
  it("gives both reviewers the diff, and changes nothing before the user says so", async () => {
    project = await openProject({ gaia: { mode: "autopilot" }, files: { "a.txt": "one\n" } });
    await project.write("a.txt", "one\ntwo\n");
    project.model.script(
      "gaia",
      callAll(to("aether"), to("hades")),
      delegate(),
      say("NOTE: nothing."),
      delegate(),
      say("Changed."),
    );
    for (const agent of ["aether", "hades"] as const) project.model.always(agent, reviewed(agent));
    project.model.always("hephaestus", say("{}"));
    const session = await project.session();
    await type(project, session, "gaia-review", "is two right?");
    for (const agent of ["aether", "hades"]) expect(lastUser(project, agent)).toContain("+two");
    expect(lastText(project.model.requestsOf("gaia")[0]!, "user")).toContain("above all: is two right?");
    expect(wordsOf(told().at(-1))).toContain("this is an advisory review");
    expect(project.model.requestsOf("hephaestus")).toEqual([]);
    await project.prompt("gaia", "Then fix it", { session });
    expect(project.model.requestsOf("hephaestus")).not.toEqual([]);
    // Committed, it is still the branch's.
    await project.git("branch", "stable");
    await project.git("commit", "-qam", "Two");
    project.model.script("gaia", callAll(to("aether"), to("hades")), say("Fine."));
    await type(project, session, "gaia-review", "--base stable is it done?");
    const begin = lastText(project.model.requestsOf("gaia").at(-2)!, "user");
    expect(begin).toMatch(/of the changes of this branch since stable \(1 commit, .*above all: is it done\?/);
    expect(lastUser(project, "hades")).toMatch(/TASK: part[^]*# The branch's changes since [^]*\+two/);
  });
});

describe("/gaia-unify", () => {
  const BODY = [
    "## Goal\n\nLimits.\n",
    "## Tasks\n",
    "- [ ] 1. Write the limiter\n  - files: src/limit.ts\n",
    "- [ ] 2. Test it\n  - files: test/limit.test.ts\n",
    "## Done When\n\n- [ ] it works\n",
  ].join("\n");

  /** An approved plan, of which the first task was carried out and committed, with a file that nobody planned. */
  const worked = async (tick: string[]): Promise<string> => {
    project = await openProject({
      files: {
        "docs/domain/INDEX.md": "## limits\nKeywords: quota\nFiles:\n  - limits.md — What is allowed\n",
        "docs/domain/limits.md": "There is no limit, see `src/limit.ts`.\n",
      },
    });
    project.autoAnswer(({ permission }) => (permission.startsWith("gaia_approval: plan") ? "once" : null));
    project.model.script("gaia", UNIT, say("Here."));
    const { sessionId } = await project.prompt("gaia", "Make a unit");
    // The user writes the plan, and may leave open who does it and what shows it.
    await project.write(".gaia/unit/plan.md", `# Unit\n\n> Status: draft\n\n${BODY}`);
    project.model.script(
      "gaia",
      plan("request_approval", { kind: "plan" }),
      plan("update_plan", { tick }),
      say("Done."),
    );
    await project.prompt("gaia", "Take my plan", { session: sessionId });
    await project.write("src/limit.ts", "export const limit = 1;\n");
    await project.git("add", "-A");
    await project.git("commit", "-qm", "The limiter");
    await project.write("src/other.ts", "export {};\n");
    return sessionId;
  };
  const demeter = call("delegate_gaia", { agent: "demeter", goal: "harvest" });
  const archived = async () => readdir(join(project.directory, ".gaia/archive")).catch(() => []);

  it("asks before a unit with an open task is archived, also in autopilot, and keeps it open after a no", async () => {
    const session = await worked(["1"]);
    project.model.script("gaia", say("Set."));
    await type(project, session, "autopilot");
    project.model.script("gaia", plan("archive_work_unit", { slug: "unit" }), say("It stays."));
    const typed = type(project, session, "gaia-unify");
    const asked = await project.permission();
    expect(asked.permission).toMatch(/^gaia_approval: exception of unit, 3 not done or not proven/);
    await project.answer(asked, "reject");
    await typed;
    expect(await shown(session)).toMatch(
      /unit is to be archived as it is:\n- task 1 claimed[^\n]*\n- task 2 open/,
    );
    expect(await archived()).toEqual([]);
  });

  it("closes a unit whose wave can never be complete where the user says so, asks once a turn and tells it once", async () => {
    project = await openProject({
      gaia: { mode: "autopilot", definitionOfDone: { checks: [check("red", "test ! -e a.txt")] } },
    });
    const close = plan("archive_work_unit", { slug: "unit" });
    const markdown = planOf("A file.", [{ text: "Write a.txt", wave: "1", verify: "false" }]);
    project.model.script(
      "gaia",
      plan("create_work_unit", { slug: "unit", title: "A", content: { markdown } }),
    );
    project.model.script("gaia", plan("open_wave", { wave_id: "1" }), delegate("1"));
    project.model.script("gaia", plan("complete_wave", { wave_id: "1" }), close, say("It can't be."));
    project.model.script("hephaestus", write(project, "a.txt"), done);
    const { sessionId } = await project.prompt("gaia", "Write it");
    expect(told().slice(-2).map(wordsOf)).toEqual([
      expect.stringContaining("checks not passed: red"),
      expect.stringContaining("wave 1 of unit is open. complete_wave 1 first"),
    ]);
    for (const [word, isClosed] of [
      ["reject", false],
      ["once", true],
    ] as const) {
      project.autoAnswer(() => word);
      project.model.script("gaia", close, close, say("Done."));
      await type(project, sessionId, "gaia-unify");
      expect(told().slice(-2)).toMatchObject([{ ok: isClosed }, { ok: isClosed }]);
    }
    expect(await archived()).toHaveLength(1);
    const notes = await shown(sessionId);
    expect(
      notes.match(/^unit is to be archived as it is:\n- task 1 open.*\n- checks failed.*\n- wave 1 open$/gm),
    ).toHaveLength(2);
    expect(notes.match(/^Report of unit/gm)).toHaveLength(1);
    expect(notes).not.toContain("There is no work unit");
  });

  it("holds the plan against what really changed, archives the unit, and makes a pull request of it", async () => {
    const session = await worked(["1", "2"]);
    await project.git("init", "-q", "--bare", "-b", "main", ".git/remote.git");
    await project.git("remote", "add", "origin", ".git/remote.git");
    await project.git("push", "-q", "origin", "HEAD~1:refs/heads/main");
    await project.git("switch", "-qc", "feature");
    await project.write(
      ".git/fake-gh",
      'echo "$@" >> .git/gh-calls; [ "$2" = list ] && echo "[]"; [ "$2" = create ] && echo https://github.com/acme/app/pull/1; exit 0',
    );
    project.model.script(
      "gaia",
      demeter,
      plan("archive_work_unit", { slug: "unit" }),
      plan("request_pr", {}),
      say("Closed."),
    );
    project.model.always("demeter", recorded);
    const typed = type(project, session, "gaia-unify");
    const asked = await project.permission();
    expect(asked.permission).toMatch(
      /^gaia_approval: push feature \(1 commit\) to \.git\/remote\.git, outside of the project, and open or update its draft pull request$/,
    );
    expect(await project.git("ls-remote", "origin", "feature")).toBe("");
    await project.answer(asked, "once");
    await typed;
    expect(await project.git("ls-remote", "origin", "feature")).toContain(
      (await project.git("rev-parse", "HEAD")).trim(),
    );
    expect((await project.outcome(session)).tools.at(-1)?.output).toContain(
      "https://github.com/acme/app/pull/1",
    );
    expect(await project.read(".git/gh-calls")).toMatch(
      /^pr list .*\npr create --draft --title=Unit --head=feature /,
    );
    expect(await project.read(".gaia/.local/pull-requests/unit.md")).toContain(
      "| 1. Write the limiter | src/limit.ts | src/limit.ts (+1 −0) | delivered |",
    );
    const rows = [
      "| 1. Write the limiter | src/limit.ts | src/limit.ts (+1 −0) | delivered |",
      "| 2. Test it | test/limit.test.ts | – | ticked, but none of its files changed |",
      "| – | – | src/other.ts (+1 −0) | not planned |",
    ];
    const [folder = ""] = await archived();
    expect(folder).toMatch(/^\d{4}-\d\d-\d\d\.unit$/);
    const log = await project.read(`.gaia/archive/${folder}/log.md`);
    const first = project.model.requestsOf("gaia")[5];
    for (const row of rows) {
      expect(log).toContain(row);
      // A user's message is not rendered, so no source stands in front of them.
      expect(await shown(session)).toContain(row.slice(2, -2).replaceAll(" | ", " · "));
      expect(first && lastText(first, "user")).toContain(row);
    }
    const document = "- docs/domain/limits.md: src/limit.ts";
    expect(first && lastText(first, "user")).toContain(document);
    expect(await shown(session)).toContain("docs/domain/limits.md: src/limit.ts");
    expect(log).toContain("where the project was when the plan was approved");
    expect(await project.read(`.gaia/archive/${folder}/plan.md`)).toContain("> Status: complete");
  });
});
