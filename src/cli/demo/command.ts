import { existsSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { GAIA } from "../../agents/gaia.ts";
import { SPECIALISTS } from "../../agents/registry.ts";
import { systemClock } from "../../lib/clock.ts";
import { renderExactDuration } from "../../lib/figures.ts";
import { createError, describeError } from "../../lib/error.ts";
import { userFolder } from "../../lib/user-folders.ts";
import { runBoundedProcess } from "../../process/bounded-process.ts";
import { repairsIn } from "../../scripted-model/request.ts";
import { startScriptedModel } from "../../scripted-model/server.ts";
import { defineCommand, interruptible, type Print } from "../main.ts";
import { howToRun, readOwnPackage } from "../own-package.ts";
import { writePage } from "../report.ts";
import { hermeticEnvironment, openCodeBinary } from "./environment.ts";
import { createSample, isRecorded, readRecord, templatePath } from "./sample.ts";
import { scriptedTurns } from "./script.ts";

const REQUEST =
  "Add due dates to tasks. test/due-dates.test.js describes the feature and fails today; make it pass, " +
  "keep the house rules of the README, and commit the work.";

const SCRIPTED = `The model is SCRIPTED. Every answer of the model was written beforehand, and is played back by a small server on
this machine: no API key, no network, no cost. It shows that the machinery works from end to end, and says
nothing about how well a model plans or codes.
Real are OpenCode, the plugin, the agents and their permissions, every file that is edited, every command, every
test run, the commit and the record.`;

/** The model that the demo brings along. */
const SCRIPTED_MODEL = "scripted/model";

/** How long it may take, in minutes: a scripted model never thinks. */
const SCRIPTED_MINUTES = 5;
const REAL_MINUTES = 45;

/** How a shell reports that Ctrl-C ended a program. */
const INTERRUPTED = 130;

interface DemoOptions {
  /** `provider/model`, or null for the scripted one. */
  readonly model: string | null;
  readonly keep: boolean;
}

/** The whole demo: sample, `opencode run`, what came of it. Leaves nothing behind, except the sample when it is to be kept. */
async function runDemo({ model, keep }: DemoOptions, print: Print, interrupt: AbortSignal): Promise<boolean> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "gaia-demo-")));
  const [home, directory] = [join(root, "home"), join(root, "errands")];
  const scripted = model === null ? await openScript(directory) : null;
  let last = "With --keep the sample project stays, with a page that shows all of it.";
  try {
    print("GAIA takes one feature request through its whole pipeline, in the real OpenCode, in autopilot.\n");
    print(
      scripted === null
        ? `The model is ${model}. It runs in your OpenCode, with your settings and credentials, and costs what it costs.\n`
        : `${SCRIPTED}\n`,
    );
    const sample = await createSample(directory);
    const before = await sample.test();
    const stage = scripted === null ? await userStage(home, model ?? "") : scriptedStage(home, scripted.url);
    print(`$ opencode run --agent ${GAIA} "${REQUEST}"\n`);
    const asked = systemClock.now();
    await runOpenCode(stage, { cwd: directory, model: model ?? SCRIPTED_MODEL, print, interrupt });
    const after = await sample.test();
    const isDone = after.passed && isRecorded(readRecord(directory));
    const run = howToRun((await readOwnPackage()).folder);
    const commits = (await sample.commits()).trim();
    print(
      [
        `\nThe demo looks for itself, after ${renderExactDuration(systemClock.now() - asked)}:`,
        `tests before  ${before.counts}`,
        `tests now     ${after.counts}${after.tampered ? ", but the test that describes the feature was changed" : ""}`,
        ...(after.passed ? [] : [after.output]),
        `commits       ${commits || "none"}`,
        await sample.stat(),
        `the record    ${[...readRecord(directory).keys()].filter((path) => path.endsWith(".md")).join(", ") || "none"}`,
        ...(scripted === null ? [] : [`repairs       ${scripted.repairs()} of the specialists' answers`]),
        isDone ? "✓ The feature's tests pass, and plan, log and decisions are written." : "✗ It is not done.",
        "",
        `To look around in it:     ${run} demo --keep`,
        `With a model of yours:    ${run} demo --model provider/model`,
        `In a project of yours:    ${run} init, then choose the agent gaia in opencode`,
      ].join("\n"),
    );
    // What proves the work is sealed with the key of the one whose OpenCode ran it.
    const page = keep ? await writePage(directory, stage).catch(describeError) : "";
    if (keep)
      last = `The sample project stays in ${directory}\nWhat was done there and what it cost, as a page:\n${page}`;
    return isDone;
  } finally {
    await scripted?.close();
    await rm(keep ? home : root, { recursive: true, force: true, maxRetries: 5 });
    print(`\n${last}`);
  }
}

/** A server that plays the model. */
async function openScript(directory: string) {
  const { url, requests, script, close } = await startScriptedModel();
  for (const [agent, turns] of Object.entries(scriptedTurns(directory))) script(agent, ...turns);
  return { url, repairs: () => repairsIn(requests).length, close };
}

/** An OpenCode that knows nothing of this machine's user. @param home an empty folder for its own files */
function scriptedStage(home: string, baseURL: string): NodeJS.ProcessEnv {
  const models = { model: { temperature: true, limit: { context: 200_000, output: 8_000 } } };
  const scripted = { npm: "@ai-sdk/openai-compatible", options: { baseURL, apiKey: "none" }, models };
  const config = {
    small_model: SCRIPTED_MODEL,
    plugin: [[builtPlugin(), AUTOPILOT]],
    provider: { scripted },
  };
  return { ...hermeticEnvironment(home), OPENCODE_CONFIG_CONTENT: JSON.stringify(config) };
}

/** The user's own OpenCode with this very plugin, all agents on one model, and sessions that are thrown away. */
async function userStage(home: string, model: string): Promise<NodeJS.ProcessEnv> {
  const own = join("opencode", "auth.json");
  await mkdir(dirname(join(home, own)), { recursive: true });
  await symlink(join(userFolder("data", process.env), own), join(home, own));
  const names = [GAIA, ...SPECIALISTS.map(({ name }) => name)];
  const agents = Object.fromEntries(names.map((name) => [name, { model, fallback: [] }]));
  const config = { plugin: [[builtPlugin(), { ...AUTOPILOT, agents }]] };
  return {
    ...process.env,
    XDG_DATA_HOME: home,
    TMPDIR: home,
    OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
  };
}

/** `opencode run` has nobody to ask. */
const AUTOPILOT = { mode: "autopilot" };

/** The folder that OpenCode loads as a plugin: this very package. @throws GaiaError when it is not built */
function builtPlugin(): string {
  const folder = dirname(templatePath(""));
  if (existsSync(join(folder, "dist", "index.js"))) return folder;
  throw createError("demo", `The plugin is not built in ${folder}.`, { hint: "Run: npm run build" });
}

interface Running {
  readonly cwd: string;
  readonly model: string;
  readonly print: Print;
  readonly interrupt: AbortSignal;
}

/** Hands the request over and prints what OpenCode prints. @throws GaiaError where it cannot be run, takes too long or is interrupted */
async function runOpenCode(env: NodeJS.ProcessEnv, { cwd, model, print, interrupt }: Running): Promise<void> {
  const minutes = model === SCRIPTED_MODEL ? SCRIPTED_MINUTES : REAL_MINUTES;
  const rest = { stdout: "", stderr: "" };
  const ending = await runBoundedProcess({
    command: [openCodeBinary(), "run", "--agent", GAIA, "--model", model, REQUEST],
    cwd,
    env,
    timeoutMs: minutes * 60_000,
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
    throw createError("demo", `The demo was not over within ${minutes} minutes.`);
  if (ending.kind === "unstartable") throw createError("demo", `OpenCode did not start: ${ending.problem}`);
}

const HELP = `opencode-gaia demo [--model provider/model] [--keep]

Runs GAIA on a small sample project with \`opencode run\`, in autopilot: recon, plan,
implementation, tests, checks, red team, commit and record. Takes about half a minute.

  --model provider/model  Use this model, with your own OpenCode configuration and
                          credentials. It costs tokens and takes minutes. Without it a
                          scripted model answers: no API key, no network.
  --keep                  Keep the sample project and print where it is.
  --help                  This text.

Exit code 0 means: the feature's tests pass, and plan, log and decisions are written.`;

/** `opencode-gaia demo` (SPEC 13). */
export const demo = defineCommand({
  name: "demo",
  summary: "watch GAIA build a feature in a sample project; no API key needed",
  help: HELP,
  options: { keep: { type: "boolean" }, model: { type: "string" } },
  async run({ model = null, keep = false }, { print }) {
    if (model !== null && !/^[^/\s]+\/\S+$/.test(model))
      throw createError("demo", `"${model}" is no model.`, {
        hint: 'Write it as provider/model; "opencode models" lists yours.',
      });
    return interruptible(async (interrupt) => {
      process.stdout.on("error", () => interrupt.abort()); // The reader is gone, as in `demo | head`.
      try {
        return (await runDemo({ model, keep }, print, interrupt.signal)) ? 0 : 1;
      } catch (error) {
        if (!interrupt.signal.aborted) throw error;
        print("\nInterrupted. Everything that the demo started is stopped and removed.");
        return INTERRUPTED;
      }
    });
  },
});
