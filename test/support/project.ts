import { EventEmitter, once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { sharedServer } from "./shared-server.ts";
import { createOpenCodeApi, type OpenCodeEvent } from "./opencode-server.ts";
import { tail } from "../../src/lib/text.ts";
import { recordOf, textOf, type JsonRecord } from "../../src/lib/json.ts";
import { trustProject } from "./trust.ts";
import { createDirectory, git, writeIn, type DirectoryOptions } from "./directory.ts";
import { readLog, type OpenCodeServer } from "./opencode.ts";
import { shownTo, wordsForModels } from "./shown.ts";
import { isRepairPrompt } from "../../src/contracts/evaluate.ts";
import { contentText, messagesOf, type RecordedRequest } from "../../src/scripted-model/request.ts";
import { startScriptedModel as start } from "../../src/scripted-model/server.ts";
import type { Turn } from "../../src/scripted-model/turn.ts";

/** How long any single wait of a scenario may take when it does not say, in milliseconds. */
const PATIENCE_MS = 60_000;
/** How long OpenCode may take to answer one request, in milliseconds: a prompt is answered when its whole turn is over. */
const REQUEST_LIMIT_MS = 110_000;
/** How soon what costs OpenCode an answer is looked at again without an event that speaks for it, in milliseconds. */
const LOOK_AGAIN_MS = 250;
/** How soon at most, in milliseconds: several events come together. */
const BREATH_MS = 25;
/** How much of OpenCode's log a failure shows, in characters. */
const LOG_TAIL = 2_000;

export interface ProjectOptions extends DirectoryOptions {
  /** An OpenCode server other than the shared one: for scenarios that kill it. */
  readonly server?: Pick<OpenCodeServer, "url" | "root">;
  /** A model that was started before, for example because the configuration names its URL. */
  readonly model?: ScriptedModel;
  /** How long any single wait may take, in milliseconds: for benchmarks that load the machine. */
  readonly patienceMs?: number;
  /** What the user says themselves, in whatever words: it is shown to them as it is. */
  readonly said?: string;
  /** false: the user has not said yes to what the files ask for; by default they have, before anything begins. */
  readonly trusted?: boolean;
  /** Goes on with the directory and the model of a project whose server was restarted. */
  readonly resume?: { readonly directory: string; readonly model: ScriptedModel };
}

/** A permission request of OpenCode. */
export interface Asked {
  readonly id: string;
  readonly sessionID: string;
  readonly permission: string;
  readonly patterns: readonly string[];
  readonly metadata: JsonRecord;
}

/** A question that a model asks the user. */
export interface AskedQuestion {
  readonly id: string;
  readonly sessionID: string;
  readonly questions: readonly { question: string; header: string; options: { label: string }[] }[];
}

type Prompt = { readonly session?: string; readonly model?: string };

type Tested<T> = T | undefined | false;

/** A project of its own inside a running OpenCode, with a model of its own. */
export type Project = Awaited<ReturnType<typeof openProject>>;

/**
 * Opens a project in the shared OpenCode server: a git repository and a model of its own. Every wait is bounded, and
 * `close` fails when the model was asked something that no script answers.
 * @example
 * const project = await openProject({ files: { "a.txt": "the content" } });
 * project.model.script("gaia", call("delegate_gaia", { agent: "minerva", goal: "read a.txt" }), say("done"));
 * project.model.script("minerva", call("read", { filePath: `${project.directory}/a.txt` }), say("no contract"));
 * project.autoAnswer(() => "once");
 * const outcome = await project.prompt("gaia", "Read it");
 * expect(outcome.text).toBe("done");
 * expect(project.model.requestsOf("minerva")).toHaveLength(2);
 * await project.close();
 */
export async function openProject(options: ProjectOptions = {}) {
  const { url, root } = options.server ?? sharedServer();
  const { patienceMs = PATIENCE_MS } = options;
  const model = options.resume?.model ?? options.model ?? (await startScriptedModel());
  const directory = options.resume?.directory ?? (await createDirectory(root, model.url, options));
  const trust = async (): Promise<void> => trustProject(root, directory, options.pluginOptions);
  if (options.resume === undefined && options.trusted !== false) await trust();
  const { call, follow } = createOpenCodeApi(url, directory, REQUEST_LIMIT_MS);
  const list = async (path: string): Promise<JsonRecord[]> => {
    const found = await call("GET", path);
    return Array.isArray(found) ? found.map(recordOf) : [];
  };
  const events: OpenCodeEvent[] = [];
  const stream = new AbortController();
  let decide: (request: Asked) => "once" | "always" | "reject" | null = () => null;

  const arrivals = new EventEmitter().setMaxListeners(0);
  /** Waits for an event of these kinds behind the first `seen`, so that waiting does not keep OpenCode busy with answers. */
  const arrival = async (kinds: RegExp, seen: number): Promise<void> => {
    const limit = AbortSignal.timeout(LOOK_AGAIN_MS);
    await pause(BREATH_MS);
    while (!limit.aborted && !events.slice(seen).some(({ type }) => kinds.test(type)))
      await once(arrivals, "event", { signal: limit }).catch(() => null);
  };
  const untilEvent = async <T>(what: string, kinds: RegExp, test: () => Tested<T> | Promise<Tested<T>>) => {
    const end = Date.now() + patienceMs;
    for (;;) {
      const seen = events.length;
      const answer = test();
      const found = await answer;
      if (found !== undefined && found !== false) return found;
      if (Date.now() > end) {
        const state = await describeState(model, events, root);
        throw new Error(`Waited ${patienceMs} ms for ${what}.\n${state}`);
      }
      await (answer instanceof Promise ? arrival(kinds, seen) : pause(BREATH_MS));
    }
  };
  const session = async (title = "a scenario"): Promise<string> =>
    textOf(recordOf(await call("POST", "/session", { title }))["id"]) ?? "";
  const messages = async (id: string): Promise<JsonRecord[]> => list(`/session/${id}/message`);
  const outcome = async (id: string): Promise<Outcome> => readOutcome(id, await messages(id));
  const answer = async ({ id }: Pick<Asked, "id">, reply: "once" | "always" | "reject", message?: string) => {
    await call("POST", `/permission/${id}/reply`, { reply, ...(message ? { message } : {}) });
  };
  const onEvent = (event: OpenCodeEvent): void => {
    events.push(event);
    arrivals.emit("event");
    if (event.type !== "permission.asked") return;
    const request = event.properties as unknown as Asked;
    const reply = decide(request);
    // The request may be gone by then, when its session was aborted.
    if (reply !== null) answer(request, reply).catch(() => undefined);
  };
  await follow(onEvent, stream.signal);
  return {
    directory,
    model,
    /** Every event of this project so far. */
    events: events as readonly OpenCodeEvent[],
    call,
    session,
    messages,
    outcome,
    answer,
    trust,
    /** Waits until `test` gives something other than undefined or false. */
    until: async <T>(what: string, test: () => Tested<T> | Promise<Tested<T>>) => untilEvent(what, /./, test),
    /** Prompts without waiting; the session's id. */
    async start(agent: string, text: string, prompt: Prompt = {}): Promise<string> {
      const id = prompt.session ?? (await session());
      await call("POST", `/session/${id}/prompt_async`, promptBody(agent, text, prompt.model));
      return id;
    },
    /** Prompts an agent and waits for the end of the turn. */
    async prompt(agent: string, text: string, prompt: Prompt = {}): Promise<Outcome> {
      const id = prompt.session ?? (await session());
      await call("POST", `/session/${id}/message`, promptBody(agent, text, prompt.model));
      return outcome(id);
    },
    /** Waits until the session is idle. */
    async idle(id: string): Promise<void> {
      await untilEvent(`session ${id} to be idle`, /^session\.(?:status|idle|error)$/, async () => {
        const busy = recordOf(await call("GET", "/session/status"))[id];
        return busy === undefined || recordOf(busy)["type"] === "idle";
      });
    },
    async abort(id: string): Promise<void> {
      await call("POST", `/session/${id}/abort`);
    },
    /** Runs a slash command. */
    async command(id: string, name: string, args = ""): Promise<Outcome> {
      await call("POST", `/session/${id}/command`, { command: name, arguments: args });
      return outcome(id);
    },
    children: async (id: string) => list(`/session/${id}/children`),
    /** Answers every permission request from now on; null leaves one open. */
    autoAnswer(next: typeof decide): void {
      decide = next;
    },
    /** Waits for a permission request that nobody answered yet. */
    permission: async (test: (request: Asked) => boolean = () => true): Promise<Asked> =>
      untilEvent("a permission request", /^permission\./, async () =>
        ((await call("GET", "/permission")) as Asked[]).find(test),
      ),
    /** Waits for a question that nobody answered yet. */
    question: async (): Promise<AskedQuestion> =>
      untilEvent(
        "a question",
        /^question\./,
        async () => ((await call("GET", "/question")) as AskedQuestion[])[0],
      ),
    /** Answers a question with the labels chosen for each of its parts; null dismisses it. */
    async reply({ id }: AskedQuestion, answers: readonly (readonly string[])[] | null): Promise<void> {
      if (answers === null) await call("POST", `/question/${id}/reject`);
      else await call("POST", `/question/${id}/reply`, { answers });
    },
    read: async (path: string) => readFile(join(directory, path), "utf8"),
    async write(path: string, text: string): Promise<void> {
      await writeIn(directory, path, text);
    },
    git: async (...args: string[]) => git(directory, ...args),
    /**
     * Ends the project's instance and model. Fails when the model was asked something unscripted, and when the user was shown
     * words that are meant for a model.
     */
    async close(): Promise<void> {
      await call("POST", "/instance/dispose").catch(() => null); // A killed server has nothing to dispose of.
      stream.abort();
      await model.close();
      const missing = model.unscripted.map((request) => `${request.agent}: ${request.raw.slice(-300)}`);
      if (missing.length > 0)
        throw new Error(`The model was asked what no script answers:\n${missing.join("\n")}`);
      const { said = "" } = options;
      const meant = shownTo(events).filter(
        (text) => wordsForModels(said === "" ? text : text.replaceAll(said, "")) !== null,
      );
      if (meant.length > 0)
        throw new Error(`The user was shown what is meant for a model:\n${meant.join("\n")}`);
    },
  };
}

function promptBody(agent: string, text: string, model: string | undefined): object {
  const chosen = model === undefined ? {} : { model: { providerID: "scripted", modelID: model } };
  return { agent, ...chosen, parts: [{ type: "text", text }] };
}

/** What a person needs to see why something did not come: the last events, requests and lines of OpenCode's log. */
async function describeState(model: ScriptedModel, events: readonly OpenCodeEvent[], root: string) {
  const types = events.slice(-12).map(({ type }) => type);
  const requests = model.requests.slice(-5).map(({ agent, raw }) => `  ${agent}: …${raw.slice(-300)}`);
  return [
    `Last events: ${types.join(", ")}`,
    "Last requests:",
    ...requests,
    "OpenCode's log:",
    tail(await readLog(root), LOG_TAIL),
  ].join("\n");
}

export function lastText(request: RecordedRequest, role: "user" | "tool" | "system"): string {
  return contentText(messagesOf(request.body).findLast((message) => message["role"] === role)?.["content"]);
}

/** The scripted model, with what tests ask of it. */
export type ScriptedModel = Awaited<ReturnType<typeof startScriptedModel>>;

/** Starts the server on a free port. */
export async function startScriptedModel() {
  const model = await start();
  return {
    ...model,
    /** Waits for an agent's n-th request, counted from 1. @throws after `ms` */
    async request(agent: string, n = 1, ms = 60_000): Promise<RecordedRequest> {
      const end = Date.now() + ms;
      for (;;) {
        const found = model.requestsOf(agent)[n - 1];
        if (found !== undefined) return found;
        if (Date.now() >= end) break;
        await pause(5);
      }
      const came = model.requests.map((request) => request.agent).join(", ") || "none";
      throw new Error(`Waited ${ms} ms for request ${n} of ${agent}; came: ${came}.`);
    },
    /** The most requests of these agents that were open at the same time. */
    mostAtOnce: (...agents: string[]): number =>
      mostAtOnce(model.requests.filter(({ agent }) => agents.includes(agent))),
  };
}

/** The names of the tools that the model is offered, sorted. */
export function toolNames(request: RecordedRequest): string[] {
  const tools = Array.isArray(request.body["tools"]) ? request.body["tools"] : [];
  return tools.map((tool) => textOf(recordOf(recordOf(tool)["function"])["name"]) ?? "").toSorted();
}

/** Calls of several turns in one. */
export function callAll(...turns: readonly Turn[]): Turn {
  return { calls: turns.flatMap((turn) => turn.calls ?? []) };
}

/** The provider answers with an HTTP error. */
export function httpError(
  status: number,
  message = "scripted error",
  headers: Record<string, string> = {},
): Turn {
  return { status, message, headers };
}

function mostAtOnce(requests: readonly RecordedRequest[]): number {
  const edges = requests.flatMap(({ at, endedAt }) => [
    { time: at, change: 1 },
    { time: endedAt ?? Infinity, change: -1 },
  ]);
  let open = 0;
  let most = 0;
  for (const { change } of edges.toSorted((a, b) => a.time - b.time || a.change - b.change)) {
    open += change;
    most = Math.max(most, open);
  }
  return most;
}

/** The agents that were asked to repair their contract, one for each time. */
export function repairsIn(requests: readonly RecordedRequest[]): string[] {
  return requests.flatMap((request) => (isRepairPrompt(lastText(request, "user")) ? request.agent : []));
}

export interface ToolRow {
  readonly tool: string;
  readonly status: string;
  readonly input: JsonRecord;
  readonly output: string;
  readonly error: string;
  readonly title: string;
  /** What the user can see of it beside the output. */
  readonly metadata: JsonRecord;
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

/** @param messages as `GET /session/:id/message` gives them */
export function readOutcome(sessionId: string, messages: readonly JsonRecord[]): Outcome {
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
      .map(readTool),
  };
}

function partsOf(message: JsonRecord | undefined): JsonRecord[] {
  return Array.isArray(message?.["parts"]) ? message["parts"].map(recordOf) : [];
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
    metadata: recordOf(state["metadata"]),
  };
}
