import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { toolResults } from "../../src/scripted-model/request.ts";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { delegate, lastUser, notesOf, plan, type, UNIT, wordsOf } from "./collaboration-scenes.ts";
import { callAll, lastText } from "../support/scripted-model.ts";

let project: Project;
afterEach(async () => project.close());

const told = (): unknown[] => project.model.requestsOf("gaia").map((request) => toolResults(request).at(-1));
const check = (id: string, command: string) => ({ id, command, timeoutSeconds: 20 });
const shown = async (session: string): Promise<string> => (await notesOf(project, session)).join("\n");

describe("/gaia-check", () => {
  it("runs the checks in the host and shows them to the user, for one short turn", async () => {
    const checks = [
      check("answer", "test -f answer.txt || { echo no answer yet; exit 3; }"),
      check("always", "true"),
    ];
    project = await openProject({ gaia: { definitionOfDone: { checks } } });
    project.model.script("gaia", UNIT, say("Ready."));
    project.model.always("gaia", say("Checks are running."));
    const { sessionId } = await project.prompt("gaia", "Begin");
    await type(project, sessionId, "gaia-check");
    await project.until("the failing check", async () =>
      (await shown(sessionId)).includes("1 of 2 checks passed; not passed: answer"),
    );
    expect(await shown(sessionId)).toContain("answer: failed (exit code 3)");
    expect(await shown(sessionId)).toContain("no answer yet");
    await project.write("answer.txt", "42");
    await type(project, sessionId, "gaia-check");
    await project.until("the passing check", async () =>
      (await shown(sessionId)).includes("2 of 2 checks passed"),
    );
    await project.until("the log", async () =>
      (await project.read(".gaia/unit/log.md")).includes("2 of 2 checks passed"),
    );
    await project.idle(sessionId);
    // One turn for each time it was typed, and nothing of the output in any of them.
    expect(project.model.requestsOf("gaia")).toHaveLength(4);
    expect(project.model.requests.map(({ raw }) => raw).join("")).not.toContain("exit code 3");
    await project.prompt("gaia", "And now?", { session: sessionId });
    expect(lastUser(project)).toContain("The user ran /gaia-check. Definition of Done passed");
  });

  it("says so where there is nothing to check, review or close, and what could be checked, of which it runs nothing", async () => {
    const scripts = { test: "touch was-run" };
    project = await openProject({ files: { "package.json": JSON.stringify({ scripts }) } });
    project.model.always("gaia", say("Checks are running."));
    const session = await project.session();
    await type(project, session, "gaia-review");
    expect(lastUser(project)).toContain("There are no uncommitted changes.");
    await type(project, session, "gaia-review", "--base nowhere");
    expect(lastUser(project)).toContain(
      'The branch cannot be compared: there is no branch or commit "nowhere".',
    );
    await type(project, session, "gaia-unify");
    expect(lastUser(project)).toContain("Nothing was closed.");
    await type(project, session, "gaia-check");
    await project.until("the note", async () => (await shown(session)).includes("no Definition of Done"));
    expect(await shown(session)).toContain("- npm run test");
    expect(existsSync(join(project.directory, "was-run"))).toBe(false);
    // With the first plan that is approved the user is asked for them; their yes lets them count, and still runs nothing.
    const markdown =
      "## Goal\nX\n## Tasks\n- [ ] 1. Do it\n  - agent: hephaestus\n  - files: a.ts\n  - verify: `true`\n";
    const unit = plan("create_work_unit", { slug: "unit", title: "Unit", content: { markdown } });
    project.model.script("gaia", unit, plan("request_approval", { kind: "plan" }), say("Approved."));
    const asked: string[] = [];
    project.autoAnswer(({ permission }) => (asked.push(permission), "once"));
    await project.prompt("gaia", "Plan it", { session });
    expect(asked.at(-1)).toBe("gaia_approval: adopt these checks? npm run test");
    expect(await project.read(".gaia/config.jsonc")).toContain('"npm run test"');
    expect(await shown(session)).toMatch(/- npm run test \(\w+, from package\.json[^]*1 check written/);
    expect(existsSync(join(project.directory, "was-run"))).toBe(false);
  });
});

describe("/gaia-review", () => {
  const adviser = (agent: string): Turn =>
    call("delegate_gaia", { agent, goal: "review the current changes" });
  const aether = { checks_run: [], failures: [], fixes: [], release_ready: true };
  const hades = { vulnerabilities: [], rollback_plan: "", minimal_patch: "", risk_level: "low" };

  it("gives both reviewers the diff, and changes nothing before the user says so", async () => {
    project = await openProject({ gaia: { mode: "autopilot" }, files: { "a.txt": "one\n" } });
    await project.write("a.txt", "one\ntwo\n");
    project.model.script(
      "gaia",
      callAll(adviser("aether"), adviser("hades")),
      delegate(),
      say("NOTE: nothing."),
      delegate(),
      say("Changed."),
    );
    const approved = { outcome: { verdict: "APPROVE" } };
    project.model.always("aether", result(aether, approved));
    project.model.always("hades", result(hades, approved));
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
    await project.git("-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-qam", "Two");
    project.model.script("gaia", callAll(adviser("aether"), adviser("hades")), say("Fine."));
    await type(project, session, "gaia-review", "--base stable is it done?");
    const begin = lastText(project.model.requestsOf("gaia").at(-2)!, "user");
    expect(begin).toMatch(/of the changes of this branch since stable \(1 commit, .*above all: is it done\?/);
    expect(lastUser(project, "hades")).toMatch(/TASK: review[^]*# The branch's changes since [^]*\+two/);
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
  const HARVEST = { log_entry: "x", decisions: [], learnings: [], plan_updates: [], session_summary: "x" };

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
  const archived = async (): Promise<string[]> =>
    readdir(join(project.directory, ".gaia/archive")).catch(() => []);

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
    project.model.always("demeter", result(HARVEST));
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

  it("leaves a unit with open tasks to the user, who keeps it open or closes it as it is", async () => {
    const session = await worked(["1"]);
    const archive = plan("archive_work_unit", { slug: "unit" });
    const ask = call("question", { questions: [{ header: "Close unit", question: "?", options: [] }] });
    const close = async (answer: string, ...turns: readonly Turn[]): Promise<void> => {
      project.model.script("gaia", ...turns);
      type(project, session, "gaia-unify").catch(() => null);
      const question = await project.question();
      expect(question.questions[0]?.question).toContain(
        "Open tasks of unit: 2. Test it. Close the unit all the same?",
      );
      expect(await archived()).toEqual([]);
      await project.reply(question, [[answer]]);
      await project.idle(session);
    };
    await close("Keep it open", archive, ask, say("As you say."));
    expect(wordsOf(told()[6])).toContain("tasks of this unit are open");
    expect(told().at(-1)).toContain("The user keeps the unit open");
    expect(await archived()).toEqual([]);
    await close("Close it as it is", archive, ask, archive, say("As you say."));
    expect(await archived()).toHaveLength(1);
  });
});
