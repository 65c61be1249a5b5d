import { GAIA } from "../../agents/gaia.ts";
import { systemClock } from "../../lib/clock.ts";
import { createError, describeError } from "../../lib/error.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { recordOf, textOf } from "../../lib/json.ts";
import type { Print } from "../main.ts";
import { aborted, type OpenCodeApi, type OpenCodeEvent, saidLast } from "./opencode-server.ts";
import { createProgress } from "./tour.ts";
import type { Stage } from "./stage.ts";

/** What the demo's user asks for, scripted model or not. */
const REQUEST =
  "Add due dates to tasks. test/due-dates.test.js describes the feature and fails today; make it pass, " +
  "keep the house rules of the README, and commit the work.";

/** A user is slower than the plugin, which answers what an approved wave covers. */
const PLUGIN_FIRST_MS = 250;

/**
 * Hands the request to GAIA, plays the user, prints what happens, and waits until she is done.
 * @param directory the sample project
 * @param signal ends it early; its reason becomes the error
 * @returns her session's id, and how often each specialist was asked to repair its contract
 * @throws GaiaError when OpenCode ends, or she does not finish before `signal` says so
 */
export async function play(
  api: OpenCodeApi,
  stage: Stage,
  directory: string,
  print: Print,
  signal: AbortSignal,
): Promise<{ readonly session: string; readonly repairs: ReadonlyMap<string, number> }> {
  await requireModel(api, stage.model);
  const session = String(recordOf(await api.call("POST", "/session", { title: "Due dates" }))["id"]);
  const progress = createProgress(session, directory, systemClock);
  const say = (lines: readonly string[]): void => {
    for (const line of lines) print(line);
  };
  say(progress.tell("you", REQUEST));
  const listening = new AbortController();
  let onIdle: () => void = () => undefined;
  const idle = new Promise<void>((resolve) => {
    onIdle = resolve;
  });
  const held = new Map<string, NodeJS.Timeout>();
  const react = (event: OpenCodeEvent): void => {
    say(progress.see(event));
    const answer = decideAnswer(event);
    if (answer === null) return;
    say(progress.tell("you", answer.words));
    api.call("POST", answer.path, answer.body).catch((error: unknown) => {
      // On a busy machine the plugin may come second and still be first: then the request is gone.
      const words = describeError(error);
      if (!words.includes("(404)")) say(progress.tell("you", `could not answer: ${words}`));
    });
  };
  const onEvent = (event: OpenCodeEvent): void => {
    const { id, requestID, sessionID } = event.properties;
    if (event.type === "permission.replied") clearTimeout(held.get(String(requestID)));
    if (event.type === "permission.asked") held.set(String(id), setTimeout(react, PLUGIN_FIRST_MS, event));
    else react(event);
    if (event.type === "session.idle" && sessionID === session) onIdle();
  };
  const work = async (): Promise<void> => {
    await api.follow(onEvent, AbortSignal.any([signal, listening.signal]));
    const [providerID, ...modelID] = stage.model.split("/");
    const model = { providerID, modelID: modelID.join("/") };
    const parts = [{ type: "text", text: REQUEST }];
    await api.call("POST", `/session/${session}/prompt_async`, { agent: GAIA, model, parts });
    await idle;
  };
  try {
    await Promise.race([work(), crash(stage), aborted(signal)]);
  } catch (error) {
    throw createError("demo", `${describeError(error)} Where it stood: ${progress.underWay()}.`, {
      cause: error,
      hint: "Run it with --keep to look at the project afterwards.",
    });
  } finally {
    listening.abort();
    for (const timer of held.values()) clearTimeout(timer);
  }
  return { session, repairs: progress.repairs() };
}

/**
 * Makes sure that OpenCode has the model that the user named: it would quietly take another one.
 * @param model `provider/model`
 * @throws GaiaError that lists the models there are
 */
export async function requireModel(api: Pick<OpenCodeApi, "call">, model: string): Promise<void> {
  const { providers } = recordOf(await api.call("GET", "/config/providers"));
  const known = (Array.isArray(providers) ? providers.map(recordOf) : []).flatMap((provider) =>
    Object.keys(recordOf(provider["models"])).map((id) => `${String(provider["id"])}/${id}`),
  );
  if (known.includes(model)) return;
  throw createError("demo", `Your OpenCode has no model "${model}".`, {
    hint: `It has ${excerpt(known.join(", "), 400) || "none"}. "opencode auth login" connects a provider.`,
  });
}

/**
 * What the demo answers in the user's place: yes to everything inside the sample, which is a copy; no to what leaves
 * it; and the first option of each question, which is GAIA's recommendation. Null for events that ask nothing.
 */
export function decideAnswer({ type, properties }: OpenCodeEvent) {
  const { id, permission, questions } = properties;
  if (type === "permission.asked") {
    const path = `/permission/${String(id)}/reply`;
    if (permission !== "external_directory") return { path, body: { reply: "once" }, words: "yes, once" };
    const message = "no, stay inside the project";
    return { path, body: { reply: "reject", message }, words: message };
  }
  if (type !== "question.asked" || !Array.isArray(questions)) return null;
  const taken = questions.map(recordOf).map(({ question, options }) => {
    const first = recordOf(Array.isArray(options) ? options[0] : null);
    return { question, label: textOf(first["label"]) ?? "Yes" };
  });
  const words = taken.map(({ question, label }) => `asked "${String(question)}": ${label}`).join("; ");
  return {
    path: `/question/${String(id)}/reply`,
    body: { answers: taken.map(({ label }) => [label]) },
    words,
  };
}

async function crash(stage: Stage): Promise<never> {
  throw createError("demo", `OpenCode ended in the middle of the work. ${saidLast(await stage.exited)}`);
}
