import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import type { Outcome, Project } from "../support/project.ts";
import { childOf, HEPHAESTUS_DONE } from "./collaboration-scenes.ts";

/** What a specialist tries by a tool. In its texts `{project}` and the like stand for places that the scene knows. */
export interface Attack {
  readonly how: string;
  readonly agent: string;
  /** A command before it. */
  readonly prepared?: string;
  readonly tool: string;
  readonly args: object;
}

export type Places = Readonly<Record<string, string>>;

/** Its calls, with the places filled in. */
export function turnsOf({ prepared, tool, args }: Attack, places: Places): Turn[] {
  const turns = [...(prepared === undefined ? [] : [bash(prepared)]), call(tool, args)];
  return JSON.parse(
    JSON.stringify(turns).replaceAll(/\{(\w+)\}/g, (all, name: string) => places[name] ?? all),
  ) as Turn[];
}

export const bash = (command: string): Turn => call("bash", { command, description: "try" });

/** GAIA delegates to an agent, which makes these calls. @returns the child's transcript */
export async function delegated(project: Project, agent: string, turns: readonly Turn[]): Promise<Outcome> {
  project.model.script("gaia", call("delegate_gaia", { agent, goal: "Try it." }), say("Done."));
  project.model.script(agent, ...turns);
  project.model.always(agent, result(HEPHAESTUS_DONE));
  const { sessionId } = await project.prompt("gaia", "Try it");
  return childOf(project, sessionId);
}
