import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, realpath, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { recordOf, textOf, type JsonRecord } from "../../src/lib/json.ts";
import { startScriptedModel, type ScriptedModel } from "../../src/scripted-model/server.ts";

const run = promisify(execFile);

/** The built package, or what GAIA_PLUGIN names: `src/index.ts` while working on it, since OpenCode runs TypeScript. */
export const PLUGIN = resolve(process.env["GAIA_PLUGIN"] ?? ".");

/** How long any single wait of a scenario may take, in milliseconds. */
const PATIENCE_MS = 30_000;

export interface ProjectOptions {
  /** Files of the project by path; they are committed to a new git repository. */
  readonly files?: Record<string, string>;
  /** Merged over the generated opencode.json. */
  readonly config?: JsonRecord;
  /** `.gaia/config.jsonc`: an object, or the very text. */
  readonly gaia?: object | string;
  /** Options in the plugin's own entry. */
  readonly pluginOptions?: object;
  /** false: plain OpenCode, for comparison. */
  readonly plugin?: boolean;
  /** Names of the models that the provider `scripted` offers beside `main`. */
  readonly models?: readonly string[];
  /** An OpenCode server other than the shared one. */
  readonly url?: string;
  readonly root?: string;
  /** A model of an earlier project, to go on with after a restart. */
  readonly model?: ScriptedModel;
  readonly directory?: string;
}

export interface ToolRow {
  readonly tool: string;
  readonly status: string;
  readonly input: JsonRecord;
  readonly output: string;
  readonly error: string;
  readonly title: string;
}

/** What one prompt led to, as the transcript has it. */
export interface Outcome {
  readonly sessionId: string;
  /** The text of the last answer. */
  readonly text: string;
  /** OpenCode's error of the last answer, null for none. */
  readonly error: JsonRecord | null;
  /** Every tool call of the session so far. */
  readonly tools: readonly ToolRow[];
}

export interface Asked {
  readonly id: string;
  readonly sessionID: string;
  readonly permission: string;
  readonly patterns: readonly string[];
  readonly metadata: JsonRecord;
}

/** A project of its own inside a running OpenCode, with a model of its own. */
export interface Project {
  readonly directory: string;
  readonly model: ScriptedModel;
  /** Every event of this project so far. */
  readonly events: readonly { type: string; properties: JsonRecord }[];
  call(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<unknown>;
  session(title?: string): Promise<string>;
  /** Prompts an agent and waits for the end of the turn. */
  prompt(agent: string, text: string, options?: { session?: string; model?: string }): Promise<Outcome>;
  /** Prompts without waiting; the session's id. */
  start(agent: string, text: string, options?: { session?: string; model?: string }): Promise<string>;
  outcome(sessionId: string): Promise<Outcome>;
  /** Waits until the session is idle. */
  idle(sessionId: string): Promise<void>;
  /** Runs a slash command. */
  command(sessionId: string, name: string, args?: string): Promise<Outcome>;
  messages(sessionId: string): Promise<JsonRecord[]>;
  children(sessionId: string): Promise<JsonRecord[]>;
  /** Answers every permission request from now on; null leaves one open. */
  autoAnswer(decide: (request: Asked) => "once" | "reject" | null): void;
  /** Waits for a permission request that nobody answered yet. */
  permission(test?: (request: Asked) => boolean): Promise<Asked>;
  answer(request: Asked, reply: "once" | "always" | "reject", message?: string): Promise<void>;
  /** Waits until `test` gives something other than undefined or false. */
  until<T>(what: string, test: () => T | undefined | false | Promise<T | undefined | false>): Promise<T>;
  read(path: string): Promise<string>;
  write(path: string, text: string): Promise<void>;
  git(...args: string[]): Promise<string>;
  /** Ends the project's instance and model, and fails when the model was asked something unscripted. */
  close(): Promise<void>;
}

/** Opens a project in the shared OpenCode server. The ten-line scenario is in `test/e2e/kit.test.ts`. */
export async function openProject(options: ProjectOptions = {}): Promise<Project> {
  const url = options.url ?? inject("openCodeUrl");
  const model = options.model ?? (await startScriptedModel());
  const directory = options.directory ?? (await createDirectory(options, model));
  const events: { type: string; properties: JsonRecord }[] = [];
  const stream = new AbortController();
  let decide: (request: Asked) => "once" | "reject" | null = () => null;

  const call: Project["call"] = async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { "content-type": "application/json", "x-opencode-directory": directory },
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
    return text === "" ? null : (JSON.parse(text) as unknown);
  };
  const list = async (path: string): Promise<JsonRecord[]> =>
    ((await call("GET", path)) as unknown[]).map(recordOf);
  const pending = async (): Promise<Asked[]> => (await call("GET", "/permission")) as Asked[];

  const project: Project = {
    directory,
    model,
    events,
    call,
    async session(title = "a scenario") {
      return textOf(recordOf(await call("POST", "/session", { title }))["id"]) ?? "";
    },
    async prompt(agent, text, prompt = {}) {
      const session = prompt.session ?? (await project.session());
      await call("POST", `/session/${session}/message`, promptBody(agent, text, prompt.model));
      return project.outcome(session);
    },
    async start(agent, text, prompt = {}) {
      const session = prompt.session ?? (await project.session());
      await call("POST", `/session/${session}/prompt_async`, promptBody(agent, text, prompt.model));
      return session;
    },
    async outcome(sessionId) {
      return readOutcome(sessionId, await project.messages(sessionId));
    },
    async idle(sessionId) {
      await project.until(`session ${sessionId} to be idle`, async () => {
        const busy = recordOf(await call("GET", "/session/status"))[sessionId];
        return busy === undefined || recordOf(busy)["type"] === "idle";
      });
    },
    async command(sessionId, name, args = "") {
      await call("POST", `/session/${sessionId}/command`, { command: name, arguments: args });
      return project.outcome(sessionId);
    },
    messages: async (sessionId) => list(`/session/${sessionId}/message`),
    children: async (sessionId) => list(`/session/${sessionId}/children`),
    autoAnswer(next) {
      decide = next;
    },
    async permission(test = () => true) {
      return project.until("a permission request", async () => (await pending()).find(test));
    },
    async answer(request, reply, message) {
      await call("POST", `/permission/${request.id}/reply`, { reply, ...(message ? { message } : {}) });
    },
    async until(what, test) {
      const end = Date.now() + PATIENCE_MS;
      for (;;) {
        const found = await test();
        if (found !== undefined && found !== false) return found;
        if (Date.now() > end)
          throw new Error(`Waited ${PATIENCE_MS} ms for ${what}.\n${describe(model, events)}`);
        await pause(25);
      }
    },
    read: async (path) => readFile(join(directory, path), "utf8"),
    async write(path, text) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), text);
    },
    git: async (...args) => (await run("git", args, { cwd: directory, env: GIT_ENVIRONMENT })).stdout,
    async close() {
      await call("POST", "/instance/dispose").catch(() => null);
      stream.abort();
      await model.close();
      const missing = model.unscripted.map((request) => `${request.agent}: ${request.raw.slice(-300)}`);
      if (missing.length > 0)
        throw new Error(`The model was asked what no script answers:\n${missing.join("\n")}`);
    },
  };
  await followEvents(url, directory, stream.signal, (event) => {
    events.push(event);
    if (event.type !== "permission.asked") return;
    const request = event.properties as unknown as Asked;
    const reply = decide(request);
    if (reply !== null) project.answer(request, reply).catch(() => undefined);
  });
  return project;
}

const GIT_ENVIRONMENT = {
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@example.com",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@example.com",
};

function promptBody(agent: string, text: string, model: string | undefined): object {
  const chosen = model === undefined ? {} : { model: { providerID: "scripted", modelID: model } };
  return { agent, ...chosen, parts: [{ type: "text", text }] };
}

async function createDirectory(options: ProjectOptions, model: ScriptedModel): Promise<string> {
  const root = join(options.root ?? inject("openCodeRoot"), "projects");
  await mkdir(root, { recursive: true });
  const directory = await realpath(await mkdtemp(join(root, "p-")));
  const names = ["main", ...(options.models ?? [])];
  const entry = { temperature: true, reasoning: true, limit: { context: 200_000, output: 8_000 } };
  const config = {
    $schema: "https://opencode.ai/config.json",
    model: "scripted/main",
    small_model: "scripted/main",
    plugin: options.plugin === false ? [] : [[PLUGIN, options.pluginOptions ?? {}]],
    provider: {
      scripted: {
        npm: "@ai-sdk/openai-compatible",
        name: "Scripted",
        options: { baseURL: model.url, apiKey: "none" },
        models: Object.fromEntries(names.map((name) => [name, { name, ...entry }])),
      },
    },
    ...options.config,
  };
  const gaia = options.gaia ?? {};
  const files = {
    "opencode.json": JSON.stringify(config, null, 2),
    ".gaia/config.jsonc": typeof gaia === "string" ? gaia : JSON.stringify(gaia),
    ...options.files,
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  const commands = [
    ["init", "-q", "-b", "main"],
    ["add", "-A"],
    ["commit", "-q", "-m", "Start"],
  ];
  for (const args of commands) await run("git", args, { cwd: directory, env: GIT_ENVIRONMENT });
  return directory;
}

function readOutcome(sessionId: string, messages: readonly JsonRecord[]): Outcome {
  const partsOf = (message: JsonRecord | undefined): JsonRecord[] =>
    Array.isArray(message?.["parts"]) ? message["parts"].map(recordOf) : [];
  const last = messages.findLast((message) => recordOf(message["info"])["role"] === "assistant");
  const texts = partsOf(last).filter((part) => part["type"] === "text");
  const error = recordOf(last?.["info"])["error"];
  return {
    sessionId,
    text: texts.map((part) => textOf(part["text"]) ?? "").join("\n"),
    error: error === undefined ? null : recordOf(error),
    tools: messages
      .flatMap(partsOf)
      .filter((part) => part["type"] === "tool")
      .map((part) => readTool(part)),
  };
}

function readTool(part: JsonRecord): ToolRow {
  const state = recordOf(part["state"]);
  return {
    tool: textOf(part["tool"]) ?? "",
    status: textOf(state["status"]) ?? "",
    input: recordOf(state["input"]),
    output: textOf(state["output"]) ?? "",
    error: textOf(state["error"]) ?? "",
    title: textOf(state["title"]) ?? "",
  };
}

async function followEvents(
  url: string,
  directory: string,
  signal: AbortSignal,
  onEvent: (event: { type: string; properties: JsonRecord }) => void,
): Promise<void> {
  const headers = { "x-opencode-directory": directory };
  const response = await fetch(`${url}/event`, { headers, signal });
  const reader = response.body?.getReader();
  if (reader === undefined) throw new Error("OpenCode's event stream has no body.");
  const decoder = new TextDecoder();
  let buffer = "";
  const readOn = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      buffer += decoder.decode(value, { stream: true });
      const chunks = buffer.split("\n\n");
      buffer = chunks.pop() ?? "";
      for (const chunk of chunks.filter((text) => text.startsWith("data: "))) {
        const event = recordOf(JSON.parse(chunk.slice("data: ".length)));
        onEvent({ type: textOf(event["type"]) ?? "", properties: recordOf(event["properties"]) });
      }
    }
  };
  readOn().catch(() => undefined); // Ends with the project.
}

function describe(model: ScriptedModel, events: readonly { type: string }[]): string {
  const requests = model.requests
    .slice(-5)
    .map((request) => `  ${request.agent}: …${request.raw.slice(-300)}`);
  return [
    `Last events: ${events
      .slice(-12)
      .map(({ type }) => type)
      .join(", ")}`,
    "Last requests:",
    ...requests,
  ].join("\n");
}

async function pause(ms: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, ms);
  });
}
