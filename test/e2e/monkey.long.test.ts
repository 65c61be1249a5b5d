import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { MENU } from "../../src/commands/menu.ts";
import { recordOf, textOf } from "../../src/lib/json.ts";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { startOpenCode } from "../support/opencode.ts";
import {
  openProject,
  type Asked,
  type AskedQuestion,
  type Project,
  type ProjectOptions,
  callAll,
} from "../support/project.ts";
import { readCases } from "../support/cases.ts";
import { randomOf } from "../support/random.ts";
import { assertNothingLeft, logPosition } from "../support/server-log.ts";
import { SPECIALISTS } from "../../src/agents/registry.ts";

const NAMES = SPECIALISTS.map(({ name }) => name);

/** Picks by chance. */
type Chance = ReturnType<typeof chanceOf>;

function chanceOf(random: () => number) {
  return {
    one: <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as never,
    isSo: (probability: number) => random() < probability,
    /** Less than so many, a whole number. */
    upTo: (limit: number) => Math.floor(random() * limit),
  };
}

/** How a provider fails, and what is run. */
const TROUBLE = readCases<Turn>("e2e/monkey.troubles");
const COMMANDS = readCases<string>("e2e/monkey.commands");
/** What a specialist ends with: contracts of all kinds, of another kind than asked for, and none. */
const ENDS: readonly Turn[] = [
  result({ files_changed: ["a.txt"], summary: "done", checks_run: [], tests_added: [], risks: [] }),
  result({ verdict: "APPROVE", issues: [], risks: [] }),
  result({ verdict: "REJECT", issues: ["no"], risks: [] }),
  result({ checks: [], release_ready: true, failures: [] }),
  result({ log_entry: "x", decisions: [], learnings: [], plan_updates: [], session_summary: "x" }),
  result({ repo_map: "src", answer: "It.", plan: [], risk_list: [], suggested_agents: [] }),
  result({}, { ok: false, errors: ["cannot"] }),
  say("I cannot go on. Which one do you want?"),
  say("APPROVE"),
  say('```json\n{"ok": tru'),
];

/** What anyone who works does with one request. */
function work(chance: Chance, directory: string): Turn {
  const filePath = `${directory}/${chance.one(["a.txt", "b.txt", "new.txt", ".gaia/feature/plan.md"])}`;
  return chance.one<Turn>([
    call("write", { filePath, content: `${chance.upTo(1_000)}\n` }),
    call("edit", { filePath, oldString: "o", newString: "oo" }),
    call("read", { filePath }),
    call("bash", { command: chance.one(COMMANDS), description: "x" }),
    call("bash", { command: chance.one(COMMANDS), description: "x" }),
    call("nonsense", { a: 1 }),
    { calls: [{ name: "bash", args: {}, raw: "{not json" }] },
  ]);
}

function specialistTurn(chance: Chance, directory: string): Turn {
  const delayMs = chance.upTo(400);
  if (chance.isSo(0.08)) return { delayMs, ...chance.one(TROUBLE) };
  return { delayMs, ...(chance.isSo(0.4) ? work(chance, directory) : chance.one(ENDS)) };
}

function gaiaTurn(chance: Chance, directory: string): Turn {
  const delayMs = chance.upTo(300);
  if (chance.isSo(0.05)) return { delayMs, ...chance.one(TROUBLE) };
  const plan = (op: string, more: object = {}): Turn => call("plan_gaia", { op, ...more });
  const markdown = planOf(chance);
  return {
    delayMs,
    ...chance.one<Turn>([
      plan("run", { slug: "feature", title: "F", content: { markdown } }),
      plan("run", { slug: "feature", background: chance.isSo(0.4) }),
      plan("create_work_unit", { slug: "feature", title: "F" }),
      plan("update_plan", { content: { markdown } }),
      plan("update_plan", { status: "in-progress" }),
      plan(chance.one(["open_wave", "complete_wave"]), { wave_id: "w1" }),
      plan("request_approval", { kind: chance.one(["plan", "revision", "verification"]) }),
      plan(chance.one(["verify", "read_work_unit", "archive_work_unit", "nonsense"])),
      delegation(chance),
      delegation(chance),
      callAll(delegation(chance), delegation(chance), delegation(chance)),
      call("collect_results", { until: "all", wait_ms: 2_000, cancel: chance.isSo(0.2) }),
      call("question", { questions: [questionAbout(chance)] }),
      call("todowrite", { todos: [{ content: "x", status: "pending", priority: "high" }] }),
      work(chance, directory),
      say("Done."),
      say("Shall I go on?"),
    ]),
  };
}

function delegation(chance: Chance): Turn {
  return call("delegate_gaia", {
    agent: chance.one([...NAMES, "Hephaestus", "Nobody"]),
    goal: "do it",
    background: chance.isSo(0.3),
    ...(chance.isSo(0.3) ? { wave_id: "w1" } : {}),
    ...(chance.isSo(0.2) ? { worktree: true } : {}),
  });
}

function questionAbout(chance: Chance): object {
  const options = ["a", "b"].map((label) => ({ label, description: label }));
  return { question: "Which?", header: chance.one(["Scope", "Handshake", "Way"]), options };
}

function planOf(chance: Chance): string {
  return `## Goal
It.

## Tasks
- [ ] 1. One
  - agent: hephaestus
  - files: a.txt
  - verify: true
- [ ] 2. Two
  - agent: ${chance.one(["hephaestus", "artemis", "Nobody"])}
  - files: b.txt
${chance.isSo(0.5) ? "  - needs: 1\n" : ""}
## Done When
- [ ] \`test -f a.txt\` passes
`;
}

/** Users who do anything at any time, with models that do anything; `MONKEY_RUNS=20` for more of them, each with the next seed. */
const RUNS = Number(process.env["MONKEY_RUNS"] ?? 2);
const SEED = Number(process.env["MONKEY_SEED"] ?? 11);
/** What one of them does, and how long they wait before the next at most, in milliseconds. */
const STEPS = 30;
const WAIT_MS = 1_500;
/** How soon dialogs are looked at again, and how long Esc may take, in milliseconds. */
const GLANCE_MS = 250;
const ESC_MS = 1_500;
/** Requests that a question takes at most once all is quiet: GAIA may be reminded of what was left open. */
const MOST = 4;
/** What everyone but GAIA's says, who summarise too. */
const SUMMARY = "Hello.";

// Each waits for most of its time, in an OpenCode of its own.
it.concurrent.each(Array.from({ length: RUNS }, (_none, run) => SEED + run))(
  "is never stuck, and answers once the user has stopped it all, whatever was done before (seed %i)",
  { timeout: 240_000 },
  async (seed) => {
    const chance = chanceOf(randomOf(seed));
    const done: string[] = [];
    let server = await startOpenCode();
    const position = await logPosition(server.root);
    let project = await openProject({ server, ...optionsFor(chance) });
    const { directory, model } = project;
    let isCalm = false;
    model.always("gaia", () => (isCalm ? say("Here.") : gaiaTurn(chance, directory)));
    for (const name of NAMES)
      model.always(name, () => (isCalm ? say("Here.") : specialistTurn(chance, directory)));
    model.always("native", say(SUMMARY));
    const watching = new AbortController();
    const watched = (async () => {
      while (!watching.signal.aborted) {
        await pause(GLANCE_MS);
        // The server may be away.
        await answerDialogs(project, chance, isCalm).catch(() => undefined);
      }
    })();
    try {
      const sessions = [await project.start("gaia", "Make the importer.")];
      for (let step = 0; step < STEPS; step += 1) {
        await pause(chance.upTo(WAIT_MS));
        if (chance.isSo(0.05)) {
          done.push("kill -9");
          server = await server.restart();
          project = await openProject({ server, resume: project });
        } else if (sessions.length < 2 && chance.isSo(0.1))
          sessions.push(await project.start("gaia", "Make another one."));
        else {
          const [what, act] = chance.one(Object.entries(ACTS));
          done.push(what);
          // It is refused where it makes no sense just then, and some of it is answered when a turn is over.
          act(project, chance.one(sessions), chance).catch(() => undefined);
        }
      }
      isCalm = true;
      for (const _round of ["what runs", "what that had left"]) {
        const busy = Object.keys(recordOf(await project.call("GET", "/session/status")));
        for (const id of [...sessions, ...busy]) await project.abort(id);
        await pause(ESC_MS);
      }
      await assertNothingLeft(project, position, server.root);
      for (const session of sessions) {
        const before = model.requests.length;
        const ask = async () => project.prompt("gaia", "Are you there?", { session });
        const first = await ask();
        // A compaction that Esc has left comes in the place of an answer, as in any conversation of OpenCode's.
        const { text } = first.text.startsWith(SUMMARY) ? await ask() : first;
        expect(text).toContain("Here.");
        expect(model.requests.length - before).toBeLessThanOrEqual(MOST);
      }
    } catch (error) {
      throw new Error(`After ${done.join(", ")}`, { cause: error });
    } finally {
      watching.abort();
      await watched;
      await project.close();
      await server.close();
    }
  },
);

function optionsFor(chance: Chance): ProjectOptions {
  const command = chance.one(["true", "grep -q one a.txt", "false", "sleep 1"]);
  return {
    files: { "a.txt": "one\n", "b.txt": "two\n", "src/x.ts": "export const x = 1;\n" },
    gaia: {
      mode: chance.one(["autopilot", "supervised", "supervised", "locked"]),
      interaction: chance.one(["standard", "pair"]),
      checkinCadence: chance.one(["step", "batch", "wave", "milestone"]),
      startup: { askAtTaskStart: chance.isSo(0.3) },
      lanes: { mode: chance.one(["off", "auto", "always"]) },
      delegation: { stallSeconds: 5, maxTaskMinutes: 1, maxRequests: 12 },
      // A learning quotes what the user wrote, for those who read it later.
      capture: { enabled: false },
      ...(chance.isSo(0.6) ? { definitionOfDone: { checks: [{ id: "c", command }] } } : {}),
    },
  };
}

async function answerDialogs(project: Project, chance: Chance, isCalm: boolean): Promise<void> {
  const isAnswered = (): boolean => isCalm || chance.isSo(0.5);
  for (const asked of (await project.call("GET", "/permission")) as Asked[])
    if (isAnswered()) {
      const reply = isCalm ? "reject" : chance.one(["once", "once", "once", "always", "reject"] as const);
      await project.answer(asked, reply, chance.isSo(0.2) ? "rather not" : undefined);
    }
  for (const question of (await project.call("GET", "/question")) as AskedQuestion[])
    if (isAnswered()) {
      const labels = question.questions.map(({ options }) => [chance.one(options).label]);
      await project.reply(question, isCalm || chance.isSo(0.2) ? null : labels);
    }
}

type Act = (project: Project, session: string, chance: Chance) => Promise<unknown>;

const speak: Act = async (project, session, chance) =>
  project.start("gaia", chance.one(["Go on.", "Make the importer.", "No, differently."]), { session });

/** What a user does, by what it is called in a failure. */
const ACTS: Readonly<Record<string, Act>> = {
  say: speak,
  "say more": speak,
  "speak to build": async (project, session) => project.start("build", "Hello", { session }),
  command: async (project, session, chance) =>
    project.command(session, chance.one(MENU).name, chance.one(["", "feature", "make it"])),
  "another command": async (project, session, chance) =>
    project.command(session, chance.one(["autopilot", "supervised", "next", "gaia-status", "gaia-work"])),
  Esc: async (project, session) => project.abort(session),
  "Esc in a child": async (project, session, chance) =>
    project.abort(await childOf(project, session, chance)),
  "delete a child": async (project, session, chance) =>
    project.call("DELETE", `/session/${await childOf(project, session, chance)}`),
  edit: async (project, _session, chance) =>
    project.write(chance.one(["a.txt", "b.txt", ".gaia/feature/plan.md"]), `mine ${chance.upTo(1_000)}\n`),
  commit: async (project) => project.git("commit", "-qam", "mine"),
  undo: async (project, session, chance) => {
    const said = (await project.messages(session)).map(({ info }) => recordOf(info));
    const messageID = chance.one(said.filter(({ role }) => role === "user"))?.["id"];
    return project.call("POST", `/session/${session}/revert`, { messageID });
  },
  compact: async (project, session) =>
    project.call("POST", `/session/${session}/summarize`, { providerID: "scripted", modelID: "main" }),
  fork: async (project, session) => project.call("POST", `/session/${session}/fork`, {}),
};

async function childOf(project: Project, session: string, chance: Chance): Promise<string> {
  return textOf(chance.one(await project.children(session))?.["id"]) ?? "none";
}
