import type { PluginInput } from "@opencode-ai/plugin";
import type { Clock } from "../../lib/clock.ts";
import { describeError } from "../../lib/error.ts";
import { isRecord, recordOf, textOf, type JsonRecord } from "../../lib/json.ts";
import type { Logger } from "../../lib/logger.ts";
import { redactDeep } from "../../lib/redact-deep.ts";
import { createRedactor } from "../../lib/redaction.ts";
import type { Host, HostEvent, ModelCatalog, ModelId } from "../port.ts";
import { createOpenCodeClient, type OpenCodeClient } from "./client.ts";
import { createSessions } from "./sessions.ts";

/** How long a list of models is trusted, in milliseconds: providers are connected and removed while OpenCode runs. */
const CATALOG_LIFETIME_MS = 30_000;

/** A {@link Host} over the real OpenCode, plus the two inputs that only OpenCode's hooks can give it. */
export interface OpenCodeHost extends Host {
  /** OpenCode's configured default model, known once its config hook has run. */
  setDefaultModel(model: ModelId | null): void;
  /** Feed every event in here first: tool rows are found by what went past. */
  observe(event: HostEvent): void;
}

export function createOpenCodeHost(input: PluginInput, clock: Clock): OpenCodeHost {
  const client = createOpenCodeClient(input.client, clock);
  const logger = createLogger(client);
  const rows = createToolRows(client);
  let configured: ModelId | null = null;
  let catalog: { at: number; value: Promise<ModelCatalog> } | null = null;

  return {
    directory: input.directory,
    worktree: input.worktree === "/" ? input.directory : input.worktree,
    logger,
    sessions: createSessions(client),
    setDefaultModel(model) {
      configured = model;
    },
    observe: rows.observe,
    models() {
      if (catalog === null || clock.now() - catalog.at > CATALOG_LIFETIME_MS) {
        catalog = { at: clock.now(), value: loadCatalog(client, configured, logger) };
      }
      return catalog.value;
    },
    async version() {
      const answer = await client.call("get", { url: "/global/health" }).catch(() => null);
      return textOf(recordOf(answer)["version"]) ?? null;
    },
    async toast(variant, message) {
      const body = { title: "GAIA", message, variant };
      await quietly(logger, "toast", client.call("post", { url: "/tui/show-toast", body }));
    },
    async answerPermission(requestId, answer) {
      const body = "once" in answer ? { reply: "once" } : { reply: "reject", message: answer.refusal };
      await client.call("post", {
        url: "/permission/{requestID}/reply",
        path: { requestID: requestId },
        body,
      });
    },
    async prefill(text) {
      await quietly(logger, "prefill", client.call("post", { url: "/tui/append-prompt", body: { text } }));
    },
    async showProgress(callId, progress) {
      await quietly(logger, "progress", rows.setProgress(callId, progress));
    },
  };
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
      void client.request("post", { url: "/log", body });
    },
  };
}

async function loadCatalog(
  client: OpenCodeClient,
  configured: ModelId | null,
  logger: Logger,
): Promise<ModelCatalog> {
  try {
    const data = recordOf(await client.call("get", { url: "/config/providers" }));
    const providers = Array.isArray(data["providers"]) ? data["providers"].filter(isRecord) : [];
    const available = new Set(
      providers.flatMap((provider) =>
        Object.keys(recordOf(provider["models"])).map((model) => `${textOf(provider["id"]) ?? ""}/${model}`),
      ),
    );
    const first = textOf(providers[0]?.["id"]) ?? "";
    const preset = `${first}/${textOf(recordOf(data["default"])[first]) ?? ""}`;
    const fallback = [configured, preset].find((model) => model !== null && available.has(model)) ?? null;
    return { available, fallback };
  } catch (error) {
    logger.log("warn", "models", `OpenCode's models could not be listed: ${describeError(error)}`);
    return { available: new Set(), fallback: configured };
  }
}

/**
 * The tool rows that are on the screen now. `ctx.metadata()` does nothing for plugin tools (OPENCODE.md trap 2), so
 * progress is a PATCH of the row's own part, which must be sent whole. Other clients show a row's title, the TUI only a
 * plugin tool's input, so progress stands in both.
 */
function createToolRows(client: OpenCodeClient): {
  observe(event: HostEvent): void;
  setProgress(callId: string, progress: string | null): Promise<void>;
} {
  const running = new Map<string, Record<string, string>>();
  return {
    observe(event) {
      if (event.type !== "tool.activity") return;
      const { sessionId: id, messageId: messageID, partId: partID } = event;
      if (event.status === "running") running.set(event.callId, { id, messageID, partID });
      else running.delete(event.callId);
    },
    async setProgress(callId, progress) {
      const path = running.get(callId);
      if (path === undefined) return;
      const message = recordOf(await client.call("get", { url: "/session/{id}/message/{messageID}", path }));
      const parts = Array.isArray(message["parts"]) ? message["parts"].filter(isRecord) : [];
      const part = parts.find((candidate) => candidate["id"] === path["partID"]);
      const state = recordOf(part?.["state"]);
      if (part === undefined || state["status"] !== "running" || !running.has(callId)) return;
      const body = { ...part, state: withProgress(state, progress) };
      await client.call("patch", { url: "/session/{id}/message/{messageID}/part/{partID}", path, body });
    },
  };
}

function withProgress(state: JsonRecord, progress: string | null): JsonRecord {
  const { progress: _shown, ...input } = recordOf(state["input"]);
  return progress === null
    ? { ...state, input }
    : { ...state, title: progress, input: { ...input, progress } };
}
