import type { Skills } from "../../context/open.ts";
import type { Skill, SkillServer } from "../../context/catalogue.ts";
import type { FileToolCall, Host } from "../../host/port.ts";
import type { FilePlace, FileToolOutput, PreparedCall } from "../../host/tool.ts";
import { describeError, isRefusal, refuse, type Refusal } from "../../lib/error.ts";
import { excerpt, head, visible } from "../../lib/text.ts";
import type { ContainedPrograms } from "../../sandbox/load.ts";
import type { CallOf, SKILL_SERVERS } from "../announced.ts";
import { contain } from "../programs.ts";
import type { RunningServer, ServerTool } from "./client.ts";
import type { SkillServers } from "./servers.ts";
import { definePower, type Power } from "../../trust/power.ts";
import { readPlaces } from "../../host/tool-call.ts";

const MAX_LIST = 20_000;
const MAX_SHOWN = 300;

type SkillCall = CallOf<typeof SKILL_SERVERS>;

export interface SkillNeeds {
  readonly skillServers: SkillServers;
  readonly skills: Pick<Skills, "latest">;
  readonly host: Pick<Host, "worktree">;
  readonly contained: ContainedPrograms;
  /** Whether commands have the network anyway. */
  readonly sandbox: { readonly network: boolean };
  /** What the user said yes to, for good. */
  readonly trust: {
    refused(powers: readonly Power[]): Promise<readonly Power[]>;
    grant(powers: readonly Power[]): Promise<void>;
  };
  uses(sessionId: string, skill: Skill): Promise<boolean>;
  /** Asks a person, in a dialog of the host's. @returns why not; null after a yes */
  approve(sessionId: string, what: string, call: FileToolCall): Promise<Refusal | null>;
}

/** A server that a session may reach. */
interface Reached {
  readonly skill: Skill;
  readonly server: SkillServer;
}

/**
 * Works out what a call of the gateway does: nothing where the server runs and says so of the tool, else what nobody knows, as
 * with the host's own MCP tools.
 */
export async function prepareSkillCall(
  needs: SkillNeeds,
  asked: SkillCall,
  place: FilePlace,
): Promise<PreparedCall | Refusal> {
  const reached = await reach(needs, asked.server, place.sessionId);
  if (isRefusal(reached)) return reached;
  const running = needs.skillServers.running(place.sessionId, asked.server);
  const meant = running === null ? null : toolOf(running, asked);
  if (typeof meant === "string") return refuse(meant);
  const isReading = running !== null && meant?.isReadOnly !== false;
  const places = readPlaces(asked.arguments);
  return {
    effect: isReading ? { kind: "read", patterns: [], ...places } : { kind: "other", ...places },
    run: async (call) => run(needs, reached, asked, place, isReading, call),
  };
}

/** The server that is meant, of a skill by which the session works. */
async function reach(needs: SkillNeeds, name: string, sessionId: string): Promise<Reached | Refusal> {
  const all = ((await needs.skills.latest())?.rules ?? []).flatMap((skill) =>
    skill.servers.map((server) => ({ skill, server })),
  );
  const used: Reached[] = [];
  for (const each of all) if (await needs.uses(sessionId, each.skill)) used.push(each);
  const found = used.find(({ server }) => server.name === name);
  if (found !== undefined) return found;
  const other = all.find(({ server }) => server.name === name);
  if (other !== undefined)
    return refuse(
      `${name} is an MCP server of the skill ${other.skill.name}, by which this task does not work.`,
      "Load it with the skill tool first.",
    );
  const known = used.map(({ server }) => server.name);
  const hint = known.length === 0 ? "The skills of this task have none." : `There are: ${known.join(", ")}.`;
  return refuse(`No skill has an MCP server "${excerpt(name, MAX_SHOWN)}".`, hint);
}

async function run(
  needs: SkillNeeds,
  reached: Reached,
  asked: SkillCall,
  place: FilePlace,
  isReading: boolean,
  call: FileToolCall,
): Promise<FileToolOutput> {
  const { skillServers } = needs;
  const { server } = reached;
  const running =
    skillServers.running(place.sessionId, server.name) ?? (await start(needs, reached, place, call));
  const meant = toolOf(running, asked);
  if (typeof meant === "string") throw new Error(meant);
  if (meant === null) return { title: server.name, text: listed(running), files: [] };
  const { name, isReadOnly } = meant;
  const given = asked.arguments ?? {};
  if (!isReadOnly && isReading) throw new Error(`${name} says another thing of itself now: call it again.`);
  if (!isReadOnly) await allowCall(server.name, name, given, call);
  const text = await running.call(name, given, call.abort);
  return { title: `${server.name} › ${name}`, text, files: [] };
}

/** Starts a server: contained wherever commands are, with the project to write and the network where its skill asks for it. */
async function start(
  needs: SkillNeeds,
  reached: Reached,
  { sessionId, directory, standsFor }: FilePlace,
  call: FileToolCall,
): Promise<RunningServer> {
  const { contained, host, sandbox, skillServers } = needs;
  const { server } = reached;
  const network = sandbox.network || server.network;
  const tree = { top: standsFor?.to ?? host.worktree, folder: directory, project: "write", network } as const;
  const { command, isContained } = await contain(contained, tree, server.command).catch((error: unknown) => {
    throw new Error(`The MCP server ${server.name} is not started: ${describeError(error)}`);
  });
  await allowStart(needs, reached, isContained ? { network } : null, call);
  try {
    return await skillServers.start(sessionId, { ...server, command }, directory, call.abort);
  } catch (error) {
    if (!isContained || network) throw error;
    const hint = `It has no network: "network: true" below ${server.name} in its skill asks for it.`;
    throw new Error(`${describeError(error)} ${hint}`, { cause: error });
  }
}

/**
 * A person says yes to a server once in a project, and to exactly what is started.
 * @param contained null for one that may do whatever the user may
 * @throws Error where nobody did
 */
async function allowStart(
  { trust, approve }: SkillNeeds,
  { skill, server: { name, command, environment } }: Reached,
  contained: { readonly network: boolean } | null,
  call: FileToolCall,
): Promise<void> {
  const words = [...Object.entries(environment).map((pair) => pair.join("=")), ...command];
  const may =
    contained === null
      ? "not contained"
      : `contained, writes this project, ${contained.network ? "with the network" : "no network"}`;
  const what = visible(
    `start the MCP server ${name} of the skill ${skill.name} (${may}): ${words.join(" ")}`,
  );
  const value = { name, command: [...command], environment, contained };
  const power = definePower(skill.path, "mcp", { what, value });
  if ((await trust.refused([power])).length === 0) return;
  const refused = await approve(call.sessionId, what, call);
  if (refused !== null)
    throw new Error(`${refused.reason} The MCP server ${name} is not started. Go on without it.`);
  await trust.grant([power]);
}

/** The host asks for the call of a tool that may change something, as for those of its own MCP servers. */
async function allowCall(server: string, tool: string, given: object, call: FileToolCall): Promise<void> {
  const what = visible(excerpt(`${server} ${tool} ${JSON.stringify(given)}`, MAX_SHOWN));
  const answer = await call.ask({ permission: `skill_mcp: ${what}`, pattern: "*" });
  if (answer.approved) return;
  const said = answer.feedback ?? "";
  throw new Error(said === "" ? `${tool} was not allowed.` : `${tool} was not allowed: ${said}`);
}

/** The tool that is meant; null where none is named, else why there is none. */
function toolOf({ tools }: RunningServer, { server, tool: name }: SkillCall): ServerTool | null | string {
  if (name === undefined) return null;
  const names = tools.map((each) => each.name).join(", ");
  return (
    tools.find((each) => each.name === name) ??
    `${server} has no tool "${excerpt(name, MAX_SHOWN)}". It has: ${head(names, MAX_LIST)}.`
  );
}

function listed({ tools }: RunningServer): string {
  const lines = tools.map(
    ({ name, description, inputSchema }) =>
      `- ${name}: ${excerpt(description, MAX_SHOWN)} ${JSON.stringify(inputSchema)}`,
  );
  return head(lines.join("\n"), MAX_LIST) || "It has no tools.";
}
