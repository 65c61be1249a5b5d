import { execFile } from "node:child_process";
import { appendFile, mkdir, mkdtemp, realpath, writeFile, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import type { JsonRecord } from "../../src/lib/json.ts";
import { tmpdir } from "node:os";
import { onTestFinished } from "vitest";

const run = promisify(execFile);

/** The built package, or what GAIA_PLUGIN names: `src/index.ts` while working on it, since OpenCode runs TypeScript. */
const PLUGIN = resolve(process.env["GAIA_PLUGIN"] ?? ".");
/** The same for the terminal panel. */
const PANEL = PLUGIN.replace(/index\.ts$/, "tui/index.ts");

/** What a project's folder holds. */
export interface DirectoryOptions {
  /** Files of the project by path; they are committed to a new git repository. */
  readonly files?: Record<string, string>;
  /** The project is this folder of its repository, as in a monorepo; by default the whole of it. */
  readonly below?: string;
  /** Merged over the generated opencode.json. */
  readonly config?: JsonRecord;
  /** `.gaia/config.jsonc`: an object, or the very text. */
  readonly gaia?: object | string;
  /** Options in the plugin's own entry. */
  readonly pluginOptions?: object;
  /** false: plain OpenCode, for comparison; a path: another plugin in place of the built one. */
  readonly plugin?: boolean | string;
  /** true: with the terminal panel too. */
  readonly panel?: boolean;
  /** Makes what no commit can hold, after the others and before OpenCode comes to see the project. */
  readonly prepare?: (directory: string) => Promise<unknown>;
  /** The models that the provider `scripted` offers beside `main`: names, or what OpenCode is to know of them. */
  readonly models?: readonly (string | { readonly name: string; readonly [key: string]: unknown })[];
}

/**
 * Makes a project: a git repository with an opencode.json that leads to the scripted model.
 * @param root the OpenCode server's root
 * @param modelUrl the scripted model
 */
export async function createDirectory(
  root: string,
  modelUrl: string,
  options: DirectoryOptions,
): Promise<string> {
  await mkdir(join(root, "projects"), { recursive: true });
  const top = await realpath(await mkdtemp(join(root, "projects", "p-")));
  const directory = join(top, options.below ?? ".");
  const gaia = options.gaia ?? {};
  const tui = { $schema: "https://opencode.ai/tui.json", plugin: [PANEL] };
  const files = {
    ...(options.panel === true ? { "tui.json": JSON.stringify(tui) } : {}),
    "opencode.json": JSON.stringify(openCodeConfig(modelUrl, options), null, 2),
    ".gaia/config.jsonc": typeof gaia === "string" ? gaia : JSON.stringify(gaia),
    ...options.files,
  };
  for (const [path, text] of Object.entries(files)) await writeIn(directory, path, text);
  await git(top, "init", "-q", "-b", "main");
  await appendFile(join(top, ".git/config"), "[user]\n\tname = T\n\temail = t@example.com\n");
  await git(top, "add", "-A");
  await git(top, "commit", "-q", "-m", "Start");
  await options.prepare?.(directory);
  return directory;
}

/** Writes a file of a project, with the folders above it. */
export async function writeIn(directory: string, path: string, text: string | Buffer): Promise<string> {
  const file = join(directory, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

/** Runs git in a project, without anyone's settings. @returns what it printed */
export async function git(directory: string, ...args: string[]): Promise<string> {
  const identity = { NAME: "Test", EMAIL: "test@example.com" };
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: identity.NAME,
    GIT_AUTHOR_EMAIL: identity.EMAIL,
    GIT_COMMITTER_NAME: identity.NAME,
    GIT_COMMITTER_EMAIL: identity.EMAIL,
  };
  return (await run("git", args, { cwd: directory, env })).stdout;
}

function openCodeConfig(modelUrl: string, options: DirectoryOptions): object {
  const models = ["main", ...(options.models ?? [])].map((each) =>
    typeof each === "string" ? { name: each } : each,
  );
  const plugin = typeof options.plugin === "string" ? options.plugin : PLUGIN;
  const entry = { temperature: true, reasoning: true, limit: { context: 200_000, output: 8_000 } };
  return {
    $schema: "https://opencode.ai/config.json",
    model: "scripted/main",
    small_model: "scripted/main",
    // OpenCode's own undo and file watching: no scenario needs them, and they are two fifths of its work.
    snapshot: false,
    watcher: { ignore: ["**"] },
    plugin: options.plugin === false ? [] : [[plugin, options.pluginOptions ?? {}]],
    provider: {
      scripted: {
        npm: "@ai-sdk/openai-compatible",
        name: "Scripted",
        options: { baseURL: modelUrl, apiKey: "none" },
        models: Object.fromEntries(models.map((each) => [each.name, { ...entry, ...each }])),
      },
    },
    ...options.config,
  };
}

/** A real folder of its own, gone after the test. */
export async function openFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "gaia-")));
  onTestFinished(async () => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** A real repository whose only commit holds these files, gone after the test. */
export async function openRepository(files: Readonly<Record<string, string | Buffer>> = {}): Promise<string> {
  const directory = await openFolder();
  for (const [path, text] of Object.entries(files)) await writeIn(directory, path, text);
  await git(directory, "init", "-q", "-b", "main");
  await commitAll(directory);
  return directory;
}

export async function commitAll(directory: string, subject = "x"): Promise<void> {
  await git(directory, "add", "-A");
  await git(directory, "commit", "-q", "--allow-empty", "-m", subject);
}

/** Runs lines of git one after the other, each a command without quotes: `switch -q main`. */
export async function gitLines(directory: string, ...lines: readonly string[]): Promise<void> {
  for (const line of lines) await git(directory, ...line.split(" "));
}
