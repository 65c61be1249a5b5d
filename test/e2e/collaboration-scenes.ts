import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { call, type Turn } from "../../src/scripted-model/turn.ts";
import { recordOf, type JsonRecord } from "../../src/lib/json.ts";
import { SNAPSHOT_KEY } from "../../src/conversation/display/metadata-keys.ts";
import type { Project } from "../support/project.ts";
import { lastText } from "../support/scripted-model.ts";

/** So long nothing more is written, in milliseconds, once all is. */
const QUIET_MS = 200;

/** A specialist's result that fits hephaestus. */
export const HEPHAESTUS_DONE = {
  checks_run: [],
  diff_summary: "Did what was asked.",
  files_modified: [],
  revision_ids: [],
  notes: [],
  refactoring_done: [],
  known_issues: [],
};

/** Whether the project holds a file of this name. */
export function has(project: Project, name: string): boolean {
  return existsSync(join(project.directory, name));
}

/** The newest user message of an agent's newest request; empty before its first. */
export function lastUser(project: Project, agent = "gaia"): string {
  const request = project.model.requestsOf(agent).at(-1);
  return request === undefined ? "" : lastText(request, "user");
}

/** The state of a conversation as it stands in its session's metadata. */
export async function stateOf(
  project: Project,
  session: string,
  key: string = SNAPSHOT_KEY,
): Promise<JsonRecord> {
  const metadata = recordOf(recordOf(await project.call("GET", `/session/${session}`))["metadata"]);
  return recordOf(metadata[key]);
}

/** Waits until the saved state is as `test` wants it. */
export async function untilState(
  project: Project,
  session: string,
  what: string,
  test: (state: JsonRecord) => boolean,
): Promise<void> {
  await project.until(what, async () => test(await stateOf(project, session)));
}

/** Types a slash command as the TUI sends it, with the agent and model that are selected, and waits for its turn. */
export async function type(
  project: Project,
  session: string,
  name: string,
  argumentText = "",
  agent = "gaia",
): Promise<void> {
  const body = { command: name, arguments: argumentText, agent, model: "scripted/main" };
  await project.call("POST", `/session/${session}/command`, body);
}

/** Types a command while the session is at work: its own turn only comes when the work is done, so nobody waits for it. */
export async function typeMeanwhile(
  project: Project,
  session: string,
  name: string,
  done: (state: JsonRecord) => boolean,
): Promise<void> {
  type(project, session, name).catch(() => null);
  await untilState(project, session, `/${name} to be done`, done);
}

/** The texts of the notes that the user sees and no model does. */
export async function notesOf(project: Project, session: string): Promise<string[]> {
  const read = async (): Promise<string[]> =>
    (await project.messages(session))
      .flatMap((message) => (Array.isArray(message["parts"]) ? message["parts"].map(recordOf) : []))
      .filter((part) => part["ignored"] === true)
      .map((part) => String(part["text"]));
  // Those of a turn's end are written a moment after it.
  let notes = await read();
  for (;;) {
    await pause(QUIET_MS);
    const now = await read();
    if (now.length === notes.length) return now;
    notes = now;
  }
}

/** The transcript of the n-th child of a session, counted from 0. */
export async function childOf(project: Project, session: string, index = 0) {
  const created = (child: JsonRecord): number => Number(recordOf(child["time"])["created"]);
  const children = (await project.children(session)).toSorted((a, b) => created(a) - created(b));
  return project.outcome(String(children[index]?.["id"]));
}

export function mode(state: JsonRecord): unknown {
  return recordOf(state["knobs"])["mode"];
}

/** An editor of the file, in one call. */
export function write(project: Pick<Project, "directory">, name: string, content = `${name}\n`): Turn {
  return call("write", { filePath: join(project.directory, name), content });
}

/** GAIA gives hephaestus a task of its own in a wave. */
export function delegate(wave?: string, rest: object = {}): Turn {
  return call("delegate_gaia", {
    agent: "hephaestus",
    goal: "change it",
    ...(wave === undefined ? {} : { wave_id: wave }),
    ...rest,
  });
}

export const plan = (op: string, args: object = {}): Turn => call("plan_gaia", { op, ...args });
export const UNIT = plan("create_work_unit", { slug: "unit", title: "A unit" });

/** What a call was answered with, in words: a gate's error, or the refusal that a tool of the plugin gives as its result. */
export function wordsOf(answer: unknown): string {
  if (typeof answer === "string") return answer;
  const { error, message, hint } = recordOf(answer);
  return [error ?? message, hint].filter((words) => typeof words === "string").join(" ");
}
