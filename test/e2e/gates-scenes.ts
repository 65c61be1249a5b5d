import { recordOf, type JsonRecord } from "../../src/lib/json.ts";
import { call, result, type Turn } from "../../src/scripted-model/turn.ts";
import type { Outcome, Project } from "../support/project.ts";

/** Results that fit the reviewers' contracts. */
const CHECKED = { checks_run: [], failures: [], fixes: [], release_ready: true };
export const ATTACKED = { vulnerabilities: [], rollback_plan: "", minimal_patch: "", risk_level: "low" };

/** GAIA gives an agent a task, worded differently each time: OpenCode asks about a call that comes three times. */
let tasks = 0;
export function to(agent: string, rest: object = {}): Turn {
  tasks += 1;
  return call("delegate_gaia", { agent, goal: `part ${tasks} for ${agent}`, ...rest });
}

/** A reviewer's contract with this outcome; null for none. */
export function reviewed(agent: "aether" | "hades", outcome: unknown = { verdict: "APPROVE" }): Turn {
  const data = agent === "aether" ? CHECKED : ATTACKED;
  return result(data, outcome === null ? {} : { outcome });
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

export function toastsOf(project: Project): string[] {
  return project.events
    .filter(({ type }) => type === "tui.toast.show")
    .map(({ properties }) => String(recordOf(properties)["message"]));
}

export const check = (id: string, command: string, rest: object = {}) => ({
  id,
  command,
  timeoutSeconds: 20,
  ...rest,
});

/** How long a test may take that follows a long turn, in milliseconds. */
export const LONG_MS = 300_000;

/** Prompts GAIA and follows her to the end of a long turn: each step is bounded, however many there are. */
export async function follow(project: Project, text: string, session?: string): Promise<Outcome> {
  const from = project.events.length;
  const id = await project.start("gaia", text, session === undefined ? {} : { session });
  // The turn before may be told late, so that an end counts only behind the very message that begins the turn.
  const isOver = (): boolean => {
    const own = project.events.slice(from).filter(({ properties }) => properties["sessionID"] === id);
    const begun = own.findIndex(({ properties }) => recordOf(properties["part"])["text"] === text);
    return begun >= 0 && own.slice(begun).some(({ type }) => type === "session.idle");
  };
  while (!isOver()) {
    const seen = project.events.length;
    await project.until("the next step", () => isOver() || project.events.length > seen);
  }
  return project.outcome(id);
}
