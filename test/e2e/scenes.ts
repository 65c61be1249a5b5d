import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { SNAPSHOT_KEY } from "../../src/conversation/display/metadata-keys.ts";
import { recordOf, type JsonRecord } from "../../src/lib/json.ts";
import { messagesOf } from "../../src/scripted-model/request.ts";
import { call, result, say, type Turn, type TurnSource } from "../../src/scripted-model/turn.ts";
import { type Outcome, type Project, lastText } from "../support/project.ts";

/** So long nothing more is written, in milliseconds, once all is. */
const QUIET_MS = 200;
/** How long a test may take that follows a long turn, in milliseconds. */
export const LONG_MS = 300_000;

/** Results that fit the contracts of those who give them. */
export const HEPHAESTUS_DONE = {
  checks_run: [],
  diff_summary: "Did what was asked.",
  files_modified: [],
  revision_ids: [],
  notes: [],
  refactoring_done: [],
  known_issues: [],
};
export const RECON = { repo_map: "", answer: "It.", plan: [], risk_list: [], suggested_agents: [] };
export const ATTACKED = { vulnerabilities: [], rollback_plan: "", minimal_patch: "", risk_level: "low" };
const CHECKED = { checks_run: [], failures: [], fixes: [], release_ready: true };
const TESTED = { checks_run: [], tests_added: [], coverage_notes: "", pass_status: "pass" };
export const HARVEST = {
  log_entry: "x",
  decisions: [],
  learnings: [],
  plan_updates: [],
  session_summary: "x",
};

/** The last turns of hephaestus, artemis and demeter. */
export const done = result(HEPHAESTUS_DONE);
export const tested = result(TESTED, { outcome: { verdict: "APPROVE" } });
export const recorded = result(HARVEST);
/** A reviewer's last turn, with this outcome; null for none. */
export function reviewed(agent: "aether" | "hades", outcome: unknown = { verdict: "APPROVE" }): Turn {
  return result(agent === "aether" ? CHECKED : ATTACKED, outcome === null ? {} : { outcome });
}

export const plan = (op: string, args: object = {}): Turn => call("plan_gaia", { op, ...args });
export const UNIT = plan("create_work_unit", { slug: "unit", title: "A unit" });
export const bash = (command: string): Turn => call("bash", { command, description: "Work" });

interface Task {
  readonly text: string;
  /** Default: hephaestus. */
  readonly agent?: string;
  readonly wave?: string;
  readonly files?: string;
  readonly verify?: string;
}

/** A plan's text in the grammar. @param doneWhen its conditions, where it has any */
export function planOf(goal: string, tasks: readonly Task[], ...doneWhen: readonly string[]): string {
  const lines = tasks.flatMap(({ text, agent = "hephaestus", ...rest }, at) => [
    `- [ ] ${at + 1}. ${text}`,
    ...Object.entries({ agent, ...rest }).map(([key, value]) => `  - ${key}: ${value}`),
  ]);
  const conditions = doneWhen.map((each) => `- [ ] ${each}`);
  const end = conditions.length === 0 ? [] : ["", "## Done When", "", ...conditions];
  return `${["## Goal", "", goal, "", "## Tasks", "", ...lines, ...end].join("\n")}\n`;
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

/** GAIA gives an agent a task, worded differently each time: OpenCode asks about a call that comes three times. */
let tasks = 0;
export function to(agent: string, rest: object = {}): Turn {
  tasks += 1;
  return call("delegate_gaia", { agent, goal: `part ${tasks} for ${agent}`, ...rest });
}

/** A check of the Definition of Done. */
export const check = (id: string, command: string) => ({ id, command, timeoutSeconds: 20 });

/** Whether the project holds a file of this name. */
export function has(project: Project, name: string): boolean {
  return existsSync(join(project.directory, name));
}

/** The newest user message of an agent's newest request; empty before its first. */
export function lastUser(project: Project, agent = "gaia"): string {
  const request = project.model.requestsOf(agent).at(-1);
  return request === undefined ? "" : lastText(request, "user");
}

/** What tools said to an agent in its newest conversation, in order. */
export function toldTo({ model }: Pick<Project, "model">, agent: string): string[] {
  return messagesOf(model.requestsOf(agent).at(-1)?.body ?? {})
    .filter(({ role }) => role === "tool")
    .map(({ content }) => String(content));
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

export function mode(state: JsonRecord): unknown {
  return recordOf(state["knobs"])["mode"];
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
  isDone: (state: JsonRecord) => boolean,
): Promise<void> {
  type(project, session, name).catch(() => null);
  await untilState(project, session, `/${name} to be done`, isDone);
}

/** A session that the user has set to a mode. */
export async function sessionIn(project: Project, wanted: "autopilot" | "locked"): Promise<string> {
  const session = await project.session();
  project.model.script("gaia", say("So be it."));
  await type(project, session, wanted);
  await untilState(project, session, wanted, (state) => mode(state) === wanted);
  return session;
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

export function toastsOf({ events }: Project): string[] {
  return events
    .filter((event) => event.type === "tui.toast.show")
    .map(({ properties }) => String(properties["message"]));
}

/** The transcript of the n-th child of a session, counted from 0; -1 is the newest. */
export async function childOf(project: Project, session: string, index = 0) {
  const created = (child: JsonRecord): number => Number(recordOf(child["time"])["created"]);
  const children = (await project.children(session)).toSorted((a, b) => created(a) - created(b));
  return project.outcome(String(children.at(index)?.["id"]));
}

/** GAIA delegates to an agent, which does this and ends. @returns the child's transcript */
export async function delegated(
  project: Project,
  agent: string,
  turns: readonly TurnSource[],
  session?: string,
): Promise<Outcome> {
  project.model.script("gaia", to(agent), say("Done."));
  project.model.script(agent, ...turns);
  project.model.always(agent, agent === "aether" ? reviewed("aether", null) : done);
  const { sessionId } = await project.prompt("gaia", "Try it", session === undefined ? {} : { session });
  return childOf(project, sessionId, -1);
}

/** What a call was answered with, in words: a gate's error, or the refusal that a tool of the plugin gives as its result. */
export function wordsOf(answer: unknown): string {
  if (typeof answer === "string") return answer;
  const { error, message, hint } = recordOf(answer);
  return [error ?? message, hint].filter((words) => typeof words === "string").join(" ");
}

/** The results of a plugin tool, in order; a call that was refused counts by its error. */
export function resultsOf({ tools }: Outcome, name: string): JsonRecord[] {
  return (
    tools
      .filter(({ tool }) => tool === name)
      // What came too late to be part of the answer stands behind it.
      .map(({ output, error }) =>
        output === "" ? { error } : recordOf(JSON.parse(output.split("\n\n")[0] ?? "")),
      )
  );
}

/** What the runs of a plan have reported to GAIA. */
export const reports = (outcome: Outcome): JsonRecord[] =>
  resultsOf(outcome, "plan_gaia").filter((row) => "status" in row && "tasks" in row);

/** Prompts GAIA and follows her to the end of a long turn: each step is bounded, however many there are. */
export async function follow(project: Project, text: string, session?: string): Promise<Outcome> {
  const from = project.events.length;
  const id = await project.start("gaia", text, session === undefined ? {} : { session });
  // The turn before may be told late, so that an end counts only behind the very message that begins the turn.
  const isOver = (): boolean => {
    const own = project.events.slice(from).filter(({ properties }) => properties["sessionID"] === id);
    const begun = own.findIndex(({ properties }) => recordOf(properties["part"])["text"] === text);
    return begun >= 0 && own.slice(begun).some((event) => event.type === "session.idle");
  };
  while (!isOver()) {
    const seen = project.events.length;
    await project.until("the next step", () => isOver() || project.events.length > seen);
  }
  return project.outcome(id);
}

/** What a specialist tries by a tool. In its texts `{project}` and the like stand for places that the scene knows. */
export interface Attack {
  readonly how: string;
  readonly agent: string;
  /** A command before it. */
  readonly prepared?: string;
  readonly tool: string;
  readonly args: object;
}

/** Its calls, with the places filled in. */
export function turnsOf({ prepared, tool, args }: Attack, places: Readonly<Record<string, string>>): Turn[] {
  const turns = [...(prepared === undefined ? [] : [bash(prepared)]), call(tool, args)];
  return JSON.parse(
    JSON.stringify(turns).replaceAll(/\{(\w+)\}/g, (all, name: string) => places[name] ?? all),
  ) as Turn[];
}
