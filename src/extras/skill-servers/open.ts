import type { Clock } from "../../lib/clock.ts";
import { lazy } from "../../lib/lazy.ts";
import type { SkillServer } from "../../context/skills/skill.ts";

/** What a server says of one of its tools. */
export interface ServerTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
  /** Whether it says of itself that it changes nothing. */
  readonly isReadOnly: boolean;
}

/** A running MCP server of a skill. */
export interface RunningServer {
  readonly tools: readonly ServerTool[];
  /** Asks for the tools anew where the server said that they changed. Never rejects. */
  renew(): Promise<void>;
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
