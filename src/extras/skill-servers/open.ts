import * as z from "zod/mini";
import type { Skills } from "../../context/open.ts";
import type { Skill, SkillServer } from "../../context/catalogue.ts";
import type { FileToolCall, Host } from "../../host/port.ts";
import { defineFileTool, type FileTool } from "../../host/tool.ts";
import { type Clock, lazy } from "../../lib/async.ts";
import type { Refusal } from "../../lib/error.ts";
import type { ContainedPrograms } from "../../sandbox/load.ts";
import type { Power } from "../../trust/power.ts";
import { type Extra, worksOnFiles } from "../extra.ts";

const tool = {
  name: "skill_mcp",
  description: "Call a tool of a skill's MCP server. Without tool: lists its tools.",
  args: {
    server: z.string(),
    tool: z.optional(z.string()),
    arguments: z.optional(z.record(z.string(), z.unknown())),
  },
};

export const SKILL_SERVERS: Extra<typeof tool> = {
  tool,
  isOn: ({ skillServers }) => skillServers === "on",
  isFor: worksOnFiles,
  asks: ["skill_mcp: *"],
  callsOthers: true,
};

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

/** `skill_mcp` (SPEC 5): the one gateway to the MCP servers that skills bring. */
export function createSkillMcpTool(needs: SkillNeeds): FileTool {
  return defineFileTool({
    ...tool,
    async prepare(args, place) {
      const { prepareSkillCall } = await import("./call.ts");
      return prepareSkillCall(needs, args, place);
    },
  });
}

export interface ServerTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
  /** Whether it says of itself that it changes nothing. */
  readonly isReadOnly: boolean;
}

export interface RunningServer {
  readonly tools: readonly ServerTool[];
  /** @returns what the tool said, as text @throws Error for a call that failed, with words for the model */
  call(tool: string, args: Record<string, unknown>, signal: AbortSignal): Promise<string>;
}

/** The MCP servers of skills: each runs for one session, from its first call to the end of its task. */
export interface SkillServers {
  /** null where it does not run there. */
  running(sessionId: string, server: string): RunningServer | null;
  /** Starts a server, where it does not run. @throws Error where it does not start, with what it said */
  start(sessionId: string, server: SkillServer, folder: string, signal: AbortSignal): Promise<RunningServer>;
  /** The task of a session is over: its servers end with everything that they started. Never rejects. */
  end(sessionId: string): Promise<void>;
  dispose(): Promise<void>;
}

/** Nothing is loaded before a server is started. */
export function openSkillServers(clock: Clock, environment: NodeJS.ProcessEnv): SkillServers {
  let loaded: SkillServers | null = null;
  const load = lazy(async () => {
    const { createSkillServers } = await import("./servers.ts");
    return (loaded = createSkillServers(clock, environment));
  });
  return {
    running: (...which) => loaded?.running(...which) ?? null,
    start: async (...which) => (await load()).start(...which),
    async end(sessionId) {
      await loaded?.end(sessionId);
    },
    async dispose() {
      await loaded?.dispose();
    },
  };
}
