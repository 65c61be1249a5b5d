import type { PluginInput, Hooks } from "@opencode-ai/plugin";
import type { ToolStateRunning } from "@opencode-ai/sdk/v2/types";
import { bounded, type Clock, lazy } from "../../lib/async.ts";
import { describeError, type Logger } from "../../lib/error.ts";
import { type JsonRecord, textOf, numberOf, recordOf } from "../../lib/json.ts";
import { redactDeep, createRedactor } from "../../lib/redaction.ts";
import { findProject } from "../../lib/folders.ts";
import { terminalText } from "../../lib/text.ts";
import type { ClientKind, Host, HostEvent, ModelCatalog, ModelId, CallKey, OneShot } from "../port.ts";
import { createOpenCodeClient, type OpenCodeClient } from "./client.ts";
import { createCalls } from "./calls.ts";
import { createSessions, isOwnPart } from "./sessions.ts";
import { findShell } from "./shell.ts";
import { factsOf } from "./read.ts";
import { PERMISSION_NAMES } from "./tool-call.ts";
import type { Event } from "@opencode-ai/sdk";

/** How long a list of models is trusted, in milliseconds: providers are connected and removed while OpenCode runs. */
const CATALOG_LIFETIME_MS = 30_000;
/** How long a call waits to be written down: its event may be lost. */
const WRITTEN_MS = 1_000;

/** The process as one that carries out one request, of all its instances; null for another one, which loads nothing of it. */
export const openProcessOneShot = lazy(async () =>
  isOneShot(process.argv) ? (await import("./one-shot.ts")).openOneShot(process) : null,
);

/** A {@link Host} over the real OpenCode, plus what only OpenCode's hooks can give it and need of it. */
export type OpenCodeHost = ReturnType<typeof createOpenCodeHost>;

export function createOpenCodeHost(input: PluginInput, clock: Clock, oneShot: OneShot | null = null) {
  const client = createOpenCodeClient(input.client, clock);
  const logger = createLogger(client);
  const rows = createToolRows(client);
  const sessions = createSessions(client, clock, oneShot === null);
  const calls = createCalls();
  const worktree = input.worktree === "/" ? input.directory : input.worktree;
  let configured: JsonRecord = {};
  let skills: ReturnType<Host["skills"]> | null = null;
  let catalog: { at: number; value: Promise<ModelCatalog> } | null = null;

  return {
    directory: input.directory,
    project: findProject(input.directory, worktree),
    worktree,
    logger,
    oneShot,
    client: clientKind(process.argv),
    permissionNames: PERMISSION_NAMES,
    calls,
    askInSession: calls.ask,
    address() {
      const { serverUrl } = input;
      const port = Number(serverUrl?.port || (serverUrl?.protocol === "https:" ? 443 : 80));
      return serverUrl === undefined ? null : { host: serverUrl.hostname, port };
    },
    sessions,
    /** OpenCode's configuration, known once its config hook has run. */
    setConfiguration(config: JsonRecord): void {
      configured = config;
    },
    shell: () => findShell(textOf(configured["shell"]) ?? null, process.env),
    order: createMessageOrder(),
    /** Feed every event in here first: tool rows are found by what went past. */
    observe(event: HostEvent): void {
      rows.observe(event);
      sessions.observe(event);
    },
    /** Resolves once OpenCode has written a call down as the model made it, or after a second. */
    written: async (callId: CallKey) =>
      bounded(rows.running(callId), WRITTEN_MS, clock, "message.part.updated").catch(() => undefined),
    models() {
      if (catalog === null || clock.now() - catalog.at > CATALOG_LIFETIME_MS) {
        const asked = {
          at: clock.now(),
          value: loadCatalog(client, textOf(configured["model"]) ?? null, logger),
        };
        catalog = asked;
        // A failure is no answer: the next question is asked again.
        void asked.value.then(({ available }) => available.size === 0 && (catalog = null));
      }
      return catalog.value;
    },
    skills: async () =>
      // OpenCode looks for them once as well.
      (skills ??= client
        .call("get /skill", {})
        .then((all) => all.map(({ name, description: about = "", location }) => ({ name, about, location })))
        .catch(() => (skills = null))),
    async formatters() {
      // Asking for its own makes OpenCode look for all of them.
      if (!configured["formatter"]) return [];
      const known = await client.call("get /formatter", {}).catch(() => null);
      return (
        known
          ?.filter(({ enabled }) => enabled)
          .map(({ name, extensions }) => ({ name, endings: extensions })) ?? null
      );
    },
    hasLanguageServers: () => Boolean(configured["lsp"]),
    async version() {
      const answer = await client.call("get /global/health", {}).catch(() => null);
      return answer?.version ?? null;
    },
    async toast(variant, message) {
      const body = { title: "GAIA", message: terminalText(message), variant };
      await quietly(logger, "toast", client.call("post /tui/show-toast", { body }));
    },
    async answerPermission(requestId, answer) {
      const { refusal = "" } = "once" in answer ? {} : answer;
      const reply = "once" in answer ? ("once" as const) : ("reject" as const);
      const body = { reply, ...(refusal !== "" && { message: refusal }) };
      await client.call("post /permission/{requestID}/reply", { path: { requestID: requestId }, body });
    },
    async prefill(text, isInstead = false) {
      if (isInstead) await quietly(logger, "prefill", client.call("post /tui/clear-prompt", {}));
      await quietly(logger, "prefill", client.call("post /tui/append-prompt", { body: { text } }));
    },
    async show(sessionID) {
      await quietly(logger, "show", client.call("post /tui/select-session", { body: { sessionID } }));
    },
    async showProgress(callId, progress) {
      await quietly(logger, "progress", rows.setProgress(callId, progress));
    },
    async clearProgress(sessionId) {
      await quietly(logger, "progress", rows.clear(sessionId));
    },
  } satisfies Host & { readonly [key: string]: unknown };
}

/** For what only informs: a failure is logged and nothing else happens (SPEC 2.4). */
async function quietly(logger: Logger, unit: string, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    logger.log("debug", unit, describeError(error));
  }
}

/** Everything that is logged is redacted: errors quote commands, and commands hold keys (SPEC 2.8). */
function createLogger(client: OpenCodeClient): Logger {
  const redact = createRedactor(process.env);
  return {
    log(level, unit, message, extra) {
      const body = redactDeep(
        { service: `gaia.${unit}`, level, message, ...(extra ? { extra } : {}) },
        redact,
      );
      // The log is the last resort: there is nowhere left to report that it failed.
      void client.request("post /log", { body });
    },
  };
}

async function loadCatalog(
  client: OpenCodeClient,
  configured: ModelId | null,
  logger: Logger,
): Promise<ModelCatalog> {
  try {
    const { providers, default: presets } = await client.call("get /config/providers", {});
    const listed = providers.flatMap(({ id, models }) =>
      Object.entries(models).map(([name, about]) => ({ name: `${id}/${name}`, about })),
    );
    const available = new Set(listed.map(({ name }) => name));
    const facts = listed.flatMap(({ name, about }) => factsOf(name, about) ?? []);
    const preset = providers.map(({ id }) => `${id}/${presets[id] ?? ""}`);
    const isAble = (name: string): boolean => facts.some(({ model }) => model === name);
    const fallback = [configured, preset.find(isAble)].find((name) => name && available.has(name)) ?? null;
    return { available, facts, fallback };
  } catch (error) {
    logger.log("warn", "models", `OpenCode's models could not be listed: ${describeError(error)}`);
    return { available: new Set(), facts: [], fallback: configured };
  }
}

/**
 * The tool rows that are on the screen now. `ctx.metadata()` does nothing for plugin tools (OPENCODE.md trap 2), so
 * progress is a PATCH of the row's own part, which must be sent whole. Other clients show a row's title, the TUI only a
 * plugin tool's input, so progress stands in both.
 */
function createToolRows(client: OpenCodeClient) {
  const running = new Map<string, { sessionID: string; messageID: string; partID: string }>();
  const awaited = new Map<CallKey, () => void>();
  return {
    observe(event: HostEvent): void {
      if (event.type !== "tool.activity") return;
      const { sessionId: sessionID, messageId: messageID, partId: partID } = event;
      if (event.status === "running") running.set(event.callId, { sessionID, messageID, partID });
      else running.delete(event.callId);
      if (event.status !== "pending") awaited.get(event.callId)?.();
    },
    async running(callId: CallKey): Promise<void> {
      if (running.has(callId)) return;
      await new Promise<void>((resolve) => awaited.set(callId, resolve)).finally(() =>
        awaited.delete(callId),
      );
    },
    async clear(sessionID: string): Promise<void> {
      const messages = await client.call("get /session/{sessionID}/message", { path: { sessionID } });
      const shown = new Set([...running.values()].map(({ partID }) => partID));
      for (const part of messages.flatMap(({ parts }) => parts)) {
        const isOurs = part.type === "tool" && part.tool.endsWith("_gaia") && !shown.has(part.id);
        if (!isOurs || !("progress" in part.state.input)) continue;
        const { progress: _shown, ...input } = part.state.input;
        const path = { sessionID, messageID: part.messageID, partID: part.id };
        const body = { ...part, state: { ...part.state, input } };
        await client.call("patch /session/{sessionID}/message/{messageID}/part/{partID}", { path, body });
      }
    },
    async setProgress(callId: string, progress: string | null): Promise<void> {
      const row = running.get(callId);
      if (row === undefined) return;
      const { partID, ...message } = row;
      const { parts } = await client.call("get /session/{sessionID}/message/{messageID}", { path: message });
      const part = parts.find(({ id }) => id === partID);
      if (part?.type !== "tool" || part.state.status !== "running" || !running.has(callId)) return;
      const body = { ...part, state: withProgress(part.state, progress) };
      await client.call("patch /session/{sessionID}/message/{messageID}/part/{partID}", { path: row, body });
    },
  };
}

function withProgress(state: ToolStateRunning, progress: string | null): ToolStateRunning {
  const { progress: _shown, ...input } = state.input;
  return progress === null
    ? { ...state, input }
    : { ...state, title: progress, input: { ...input, progress } };
}

/** With these someone is there, or the work is done in another process. */
const ELSEWHERE = /^(?:--attach|--interactive|--mini|-i)(?:=|$)/;

/** The command that this OpenCode was begun with, behind options of which one takes a value; empty for the terminal. @param argv as Node and Bun give it */
function commandOf(argv: readonly string[]): string {
  const args = argv.slice(2);
  return args.find((arg, at) => !arg.startsWith("-") && args[at - 1] !== "--log-level") ?? "";
}

/** Whether this process is an `opencode run` that does the work itself. Pure. */
export function isOneShot(argv: readonly string[]): boolean {
  return commandOf(argv) === "run" && !argv.slice(2).some((arg) => ELSEWHERE.test(arg));
}

/** Who talks to this process. Pure. */
export function clientKind(argv: readonly string[]): ClientKind {
  const command = commandOf(argv);
  if (command === "acp") return "editor";
  return command === "serve" || command === "web" ? "any" : "terminal";
}

type Output = Parameters<NonNullable<Hooks["chat.message"]>>[1];

/**
 * Keeps notes out of the way of turns. To OpenCode a note is a message of the user's: its loop answers as the agent and with the
 * model of whichever of these was made last, and goes on until the last one is answered. A note that crosses what
 * the user says next would take their turn to the agent of the turn before, or add a turn.
 */
export function createMessageOrder() {
  /** Of each session, in OpenCode's times: the newest message that wants an answer, beginning of one, and note. */
  const sessions = new Map<string, Record<"asked" | "answered" | "noted", number>>();

  return {
    observe(event: Event): void {
      if (event.type === "session.deleted") sessions.delete(event.properties.info.id);
      if (event.type !== "message.updated" || event.properties.info.role !== "assistant") return;
      const { sessionID, time } = event.properties.info;
      const newest = sessions.get(sessionID);
      if (newest !== undefined) newest.answered = Math.max(newest.answered, time.created);
    },
    /** Puts a message that is about to be saved behind or before others by its time. @returns whether it is a note */
    place({ message, parts }: Output): boolean {
      const newest = sessions.get(message.sessionID) ?? { asked: 0, answered: 0, noted: 0 };
      sessions.set(message.sessionID, newest);
      const since = sinceOf(parts);
      const made = numberOf(recordOf(message.time)["created"]);
      // Without a time it is where OpenCode puts it.
      if (made === undefined) return since !== null;
      const { time } = message;
      if (since === null) {
        time.created = Math.max(made, newest.noted + 1);
        newest.asked = time.created;
        return false;
      }
      const hasCrossed = newest.asked > newest.answered || newest.asked >= since;
      if (hasCrossed && newest.asked > 0) time.created = Math.min(made, newest.asked - 1);
      newest.noted = time.created;
      return true;
    },
  };
}

/** When the plugin had a note to write; null for a message that is none. */
function sinceOf(parts: Output["parts"]): number | null {
  const isNote =
    parts.length > 0 &&
    parts.every((part) => part.type === "text" && isOwnPart(part) && part.ignored === true);
  return isNote ? (numberOf(recordOf(recordOf(parts[0])["metadata"])["since"]) ?? Infinity) : null;
}
