import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { MENU } from "../../src/commands/menu.ts";
import { recordOf, textOf } from "../../src/lib/json.ts";
import { say } from "../../src/scripted-model/turn.ts";
import { startOpenCode } from "../support/opencode.ts";
import {
  openProject,
  type Asked,
  type AskedQuestion,
  type Project,
  type ProjectOptions,
} from "../support/project.ts";
import { randomOf } from "../support/random.ts";
import { assertNothingLeft, logPosition } from "../support/server-log.ts";
import { type Chance, chanceOf, gaiaTurn, NAMES, specialistTurn } from "./monkey-scenes.ts";

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

it.each(Array.from({ length: RUNS }, (_none, run) => SEED + run))(
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
