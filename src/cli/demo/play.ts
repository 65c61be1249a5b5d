import { GAIA } from "../../agents/gaia.ts";
import { systemClock } from "../../lib/clock.ts";
import { createError, describeError } from "../../lib/error.ts";
import { recordOf, textOf } from "../../lib/json.ts";
import type { Print } from "../command.ts";
import { answerRequest } from "./answer.ts";
import type { OpenCodeApi, OpenCodeEvent } from "./api.ts";
import { saidLast } from "./opencode-server.ts";
import type { Paint } from "./paint.ts";
import { createProgress } from "./progress.ts";
import { REQUEST } from "./script/feature.ts";
import { requireModel } from "./require-model.ts";
import type { Stage } from "./stage.ts";

/** A user is slower than the plugin, which answers what an approved wave covers. */
const PLUGIN_FIRST_MS = 250;

export interface Scene {
  readonly api: OpenCodeApi;
  readonly stage: Stage;
  /** The sample project. */
  readonly directory: string;
  readonly print: Print;
  readonly paint: Paint;
  /** Ends it early; its reason becomes the error. */
  readonly signal: AbortSignal;
}

/**
 * Hands the request to GAIA, plays the user, prints what happens, and waits until she is done.
 * @returns her session's id
 * @throws GaiaError when OpenCode ends, or she does not finish before `signal` says so
 */
export async function play({ api, stage, directory, print, paint, signal }: Scene): Promise<string> {
  await requireModel(api, stage.model);
  const session = textOf(recordOf(await api.call("POST", "/session", { title: "Due dates" }))["id"]) ?? "";
  const progress = createProgress({ root: session, directory, clock: systemClock, paint });
  for (const line of progress.request(REQUEST)) print(line);
  const listening = new AbortController();
  let onIdle: () => void = () => undefined;
  const idle = new Promise<void>((resolve) => {
    onIdle = resolve;
  });
  const held = new Map<string, NodeJS.Timeout>();
  const answer = (event: OpenCodeEvent): void => {
    for (const line of progress.see(event)) print(line);
    answerRequest(api, event).catch((error: unknown) => {
      print(`An answer did not reach OpenCode: ${describeError(error)}`);
    });
  };
  const onEvent = (event: OpenCodeEvent): void => {
    const request = textOf(event.properties[event.type === "permission.replied" ? "requestID" : "id"]) ?? "";
    if (event.type === "permission.replied") clearTimeout(held.get(request));
    if (event.type === "permission.asked") held.set(request, setTimeout(answer, PLUGIN_FIRST_MS, event));
    else answer(event);
    if (event.type === "session.idle" && event.properties["sessionID"] === session) onIdle();
  };
  const work = async (): Promise<void> => {
    await api.follow(onEvent, AbortSignal.any([signal, listening.signal]));
    await api.call("POST", `/session/${session}/prompt_async`, promptBody(stage.model));
    await idle;
  };
  try {
    await Promise.race([work(), crash(stage), cut(signal)]);
  } catch (error) {
    throw createError("demo", `${describeError(error)} Where it stood: ${progress.underWay()}.`, {
      cause: error,
      hint: "Run it with --keep to look at the project afterwards.",
    });
  } finally {
    listening.abort();
    for (const timer of held.values()) clearTimeout(timer);
  }
  return session;
}

async function crash(stage: Stage): Promise<never> {
  throw createError("demo", `OpenCode ended in the middle of the work. ${saidLast(await stage.exited)}`);
}

async function cut(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  return new Promise((_resolve, reject) => {
    signal.addEventListener(
      "abort",
      () => {
        reject(createError("demo", describeError(signal.reason)));
      },
      { once: true },
    );
  });
}

function promptBody(model: string): object {
  const [providerID = "", ...rest] = model.split("/");
  return {
    agent: GAIA,
    model: { providerID, modelID: rest.join("/") },
    parts: [{ type: "text", text: REQUEST }],
  };
}
