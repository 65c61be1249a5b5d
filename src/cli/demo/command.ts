import { existsSync, readFileSync } from "node:fs";
import { cp, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { GAIA } from "../../agents/gaia.ts";
import { systemClock } from "../../lib/async.ts";
import { renderExactDuration } from "../../lib/figures.ts";
import { createError, describeError } from "../../lib/error.ts";
import { type ProgramStart, runBoundedProcess, runProgram } from "../../process/bounded-process.ts";
import { hostGit } from "../../process/git.ts";
import { templatePath } from "../../record/templates.ts";
import { startScriptedModel } from "../../scripted-model/server.ts";
import { defineCommand, INTERRUPTED, interruptible, type Print } from "../main.ts";
import { howToRun, readOwnPackage } from "../own-package.ts";
import { writePage } from "../report.ts";
import { hermeticEnvironment, openCodeBinary } from "./environment.ts";
import type { JsonRecord } from "../../lib/json.ts";
import { result, type ScriptedCall, type TurnSource } from "../../scripted-model/turn.ts";

const REQUEST =
  "Add due dates to tasks. test/due-dates.test.js describes the feature and fails today; make it pass, " +
  "keep the house rules of the README, and commit the work.";

const SCRIPTED_MODEL = "scripted/model";

/** How long it may take, in minutes: a scripted model never thinks. */
const MAX_MINUTES = 5;

/** How long git or the sample's tests may take, in milliseconds. */
const COMMAND_LIMIT_MS = 60_000;

/** Copies the sample and makes its first commit. @throws GaiaError when there is no git */
async function createSample(directory: string) {
  await cp(templatePath("demo-project"), directory, { recursive: true });
  const run = async (start: ProgramStart) =>
    runProgram(start, directory, { timeoutMs: COMMAND_LIMIT_MS, startsProjects: true });
  const git = async (...args: string[]): Promise<string> => {
    // The user's own git settings (hooks, signing, templates) do not belong into the sample.
    const { ok, text, words } = await run(hostGit(args, { settings: "own" }));
    if (ok) return text.trim();
    const hint = "The demo needs git 2.28 or newer.";
    throw createError("demo", `git ${args[0] ?? ""} failed: ${words}`, { hint });
  };
  await git("init", "--quiet", "--initial-branch", "main");
  await git("config", "user.name", "GAIA demo");
  await git("config", "user.email", "demo@example.com");
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "Start the sample");
  const start = await git("rev-parse", "HEAD");
  return {
    commits: async (): Promise<string> => git("log", "--oneline", `${start}..HEAD`),
    /** The files that changed since the sample was made, committed or not, the record's too. */
    async stat(): Promise<string> {
      // Else a new file that nobody committed would be missing.
      await git("add", "--intent-to-add", "--", ".");
      return git("diff", "--stat=80", start);
    },
    async test() {
      // A runner that finds itself inside another one reports in a format that is not for people.
      const { NODE_TEST_CONTEXT: _inner, ...env } = process.env;
      const command = [process.execPath, "--test", "--test-reporter=spec"] as const;
      const { ok: passed, text, words } = await run({ command, env });
      return { passed, output: text + words };
    },
  };
}

/** The whole demo: sample, `opencode run`, what came of it. Leaves nothing behind, except the sample when it is to be kept. */
async function runDemo(keep: boolean, print: Print, interrupt: AbortSignal): Promise<boolean> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "gaia-demo-")));
  const [home, directory] = [join(root, "home"), join(root, "errands")];
  const model = await startScriptedModel();
  for (const [agent, turns] of Object.entries(scriptedTurns(directory))) model.script(agent, ...turns);
  let last = "With --keep the sample project stays, with a page that shows all of it.";
  try {
    print("GAIA takes one feature request through its whole pipeline, in the real OpenCode, in autopilot.\n");
    print(readTemplate("demo-scripted.txt"));
    const sample = await createSample(directory);
    const before = await sample.test();
    const environment = environmentOf(home, model.url);
    print(`$ opencode run --agent ${GAIA} "${REQUEST}"\n`);
    const asked = systemClock.now();
    const code = await runOpenCode(environment, directory, print, interrupt);
    const after = await sample.test();
    const isDone = after.passed && code === 0;
    const run = await howToRun(await readOwnPackage(), process.cwd());
    print(
      [
        `\nThe demo looks for itself, after ${renderExactDuration(systemClock.now() - asked)}:`,
        `tests before  ${before.passed ? "pass" : "fail"}`,
        `tests now     ${after.passed ? "pass" : "fail"}`,
        ...(after.passed ? [] : [after.output]),
        `commits       ${(await sample.commits()) || "none"}`,
        await sample.stat(),
        isDone ? "✓ The feature's tests pass, and GAIA says that it is done." : "✗ It is not done.",
        "",
        `To look around in it:     ${run} demo --keep`,
        `In a project of yours:    ${run} init, then choose the agent gaia in opencode`,
      ].join("\n"),
    );
    // What proves the work is sealed with the key of the one whose OpenCode ran it.
    const page = keep ? await writePage(directory, environment).catch(describeError) : "";
    if (keep)
      last = `The sample project stays in ${directory}\nWhat was done there and what it cost, as a page:\n${page}`;
    return isDone;
  } finally {
    await model.close();
    await rm(keep ? home : root, { recursive: true, force: true, maxRetries: 5 });
    print(`\n${last}`);
  }
}

/** Of an OpenCode that knows nothing of this machine's user. @param home an empty folder for its own files */
function environmentOf(home: string, baseURL: string): NodeJS.ProcessEnv {
  const models = { model: { temperature: true, limit: { context: 200_000, output: 8_000 } } };
  const scripted = { npm: "@ai-sdk/openai-compatible", options: { baseURL, apiKey: "none" }, models };
  const config = {
    small_model: SCRIPTED_MODEL,
    // `opencode run` has nobody to ask.
    plugin: [[builtPlugin(), { mode: "autopilot" }]],
    provider: { scripted },
  };
  return { ...hermeticEnvironment(home), OPENCODE_CONFIG_CONTENT: JSON.stringify(config) };
}

/** The folder that OpenCode loads as a plugin: this very package. @throws GaiaError when it is not built */
function builtPlugin(): string {
  const folder = dirname(templatePath());
  if (existsSync(join(folder, "dist", "index.js"))) return folder;
  throw createError("demo", `The plugin is not built in ${folder}.`, { hint: "Run: npm run build" });
}

/** Hands the request over and prints what OpenCode prints. @returns its exit code, which tells GAIA's verdict @throws GaiaError where it cannot be run, takes too long or is interrupted */
async function runOpenCode(
  env: NodeJS.ProcessEnv,
  cwd: string,
  print: Print,
  interrupt: AbortSignal,
): Promise<number | null> {
  const rest = { stdout: "", stderr: "" };
  const ending = await runBoundedProcess({
    command: [openCodeBinary(), "run", "--agent", GAIA, "--model", SCRIPTED_MODEL, REQUEST],
    cwd,
    env,
    timeoutMs: MAX_MINUTES * 60_000,
    graceMs: 0,
    signal: interrupt,
    clock: systemClock,
    output: {
      write(source, chunk) {
        const lines = (rest[source] + chunk.toString("utf8")).split("\n");
        rest[source] = lines.pop() ?? "";
        for (const line of lines) print(stripVTControlCharacters(line));
      },
    },
  });
  if (ending.kind === "cancelled") throw interrupt.reason;
  if (ending.kind === "timeout")
    throw createError("demo", `The demo was not over within ${MAX_MINUTES} minutes.`);
  if (ending.kind === "unstartable") throw createError("demo", `OpenCode did not start: ${ending.problem}`);
  return ending.code;
}

export const demo = defineCommand({
  name: "demo",
  summary: "watch GAIA build a feature in a sample project; no API key needed",
  options: { keep: { type: "boolean" } },
  async run({ keep = false }, { print }) {
    return interruptible(async (interrupt) => {
      process.stdout.on("error", () => interrupt.abort()); // The reader is gone, as in `demo | head`.
      try {
        return (await runDemo(keep, print, interrupt.signal)) ? 0 : 1;
      } catch (error) {
        if (!interrupt.signal.aborted) throw error;
        print("\nInterrupted. Everything that the demo started is stopped and removed.");
        return INTERRUPTED;
      }
    });
  },
});

/** One turn in `templates/demo-script.json`, where `{plan}` stands for the plan. */
interface ScriptedTurn {
  readonly text?: string;
  /** A tool with its arguments; `read` and `finish` take a file of the sample. */
  readonly calls?: readonly (readonly [tool: string, args: unknown])[];
  /** What a specialist ends with, and beside it. */
  readonly result?: JsonRecord;
  readonly outcome?: JsonRecord;
}

/** What each agent does in the scripted run, turn by turn. Their tools really run. @param directory the sample project */
export function scriptedTurns(directory: string): Record<string, TurnSource[]> {
  const plan = readTemplate("demo-plan.md");
  const fill = (_key: string, value: unknown): unknown => (value === "{plan}" ? plan : value);
  const script = JSON.parse(readTemplate("demo-script.json"), fill) as Record<string, ScriptedTurn[]>;
  const play = ({ text = "", calls = [], result: data, outcome }: ScriptedTurn): TurnSource =>
    data === undefined
      ? { text, calls: calls.map(([tool, args]) => callOf(tool, args, directory)) }
      : result(data, outcome === undefined ? {} : { outcome });
  return Object.fromEntries(Object.entries(script).map(([agent, turns]) => [agent, turns.map(play)]));
}

function callOf(name: string, args: unknown, directory: string): ScriptedCall {
  if (typeof args !== "string") return { name, args };
  const filePath = join(directory, args);
  if (name === "read") return { name, args: { filePath } };
  const content = readTemplate("demo-feature", args);
  if (!existsSync(templatePath("demo-project", args))) return { name: "write", args: { filePath, content } };
  const oldString = readTemplate("demo-project", args);
  return { name: "edit", args: { filePath, oldString, newString: content } };
}

function readTemplate(name: string, file = ""): string {
  return readFileSync(templatePath(name, file), "utf8");
}
