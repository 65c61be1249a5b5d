import { systemClock } from "../../lib/clock.ts";
import { createError, describeError } from "../../lib/error.ts";
import { recordOf, textOf } from "../../lib/json.ts";
import type { Print } from "../command.ts";
import { answerRequest } from "./answer.ts";
import type { OpenCodeApi, OpenCodeEvent } from "./api.ts";
import { createProgress } from "./progress.ts";
import { REQUEST } from "./script/feature.ts";
import type { Stage } from "./stage.ts";

/** How long GAIA may work, in milliseconds: a scripted model never thinks. */
const SCRIPTED_LIMIT_MS = 3 * 60_000;
const REAL_LIMIT_MS = 45 * 60_000;

export interface Scene {
  readonly api: OpenCodeApi;
  readonly stage: Stage;
  /** The sample project. */
  readonly directory: string;
  /** `provider/model`, or null for the scripted one. */
  readonly model: string | null;
  readonly print: Print;
  readonly interrupt: AbortSignal;
}

/**
 * Hands the request to GAIA, plays the user, prints what happens, and waits until she is done.
 * @returns her session's id
 * @throws GaiaError when OpenCode ends, or she does not finish in time, or the user interrupts
 */
export async function play(scene: Scene): Promise<string> {
  const { api, stage, directory, model, print, interrupt } = scene;
  const limitMs = model === null ? SCRIPTED_LIMIT_MS : REAL_LIMIT_MS;
  const stop = new AbortController();
  const signal = AbortSignal.any([interrupt, stop.signal, AbortSignal.timeout(limitMs)]);
  const session = textOf(recordOf(await api.call("POST", "/session", { title: "Due dates" }))["id"]) ?? "";
  const progress = createProgress(session, directory, systemClock);
  let onIdle: () => void = () => undefined;
  const idle = new Promise<void>((resolve) => {
    onIdle = resolve;
  });
  const onEvent = (event: OpenCodeEvent): void => {
    for (const line of progress.see(event)) print(line);
    answerRequest(api, event).catch((error: unknown) => {
      print(`An answer did not reach OpenCode: ${describeError(error)}`);
    });
    if (event.type === "session.idle" && event.properties["sessionID"] === session) onIdle();
  };
  const work = async (): Promise<void> => {
    await api.follow(onEvent, signal);
    await api.call("POST", `/session/${session}/prompt_async`, promptBody(model));
    await idle;
  };
  try {
    await Promise.race([work(), crash(stage), cut(signal, interrupt, limitMs)]);
  } finally {
    stop.abort();
  }
  return session;
}

async function crash(stage: Stage): Promise<never> {
  const words = await stage.exited;
  throw createError("demo", `OpenCode ended in the middle of the work. It said: ${words.trim()}`);
}

async function cut(signal: AbortSignal, interrupt: AbortSignal, limitMs: number): Promise<never> {
  if (!signal.aborted) {
    await new Promise((resolve) => {
      signal.addEventListener("abort", resolve, { once: true });
    });
  }
  if (interrupt.aborted) throw createError("demo", "Interrupted.");
  throw createError("demo", `GAIA did not finish within ${limitMs / 60_000} minutes.`);
}

function promptBody(model: string | null): object {
  const [providerID = "", ...rest] = (model ?? "scripted/model").split("/");
  return {
    agent: "gaia",
    model: { providerID, modelID: rest.join("/") },
    parts: [{ type: "text", text: REQUEST }],
  };
}
