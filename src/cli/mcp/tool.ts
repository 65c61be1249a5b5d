import type { Arguments } from "./arguments.ts";
import type { McpProject } from "./project.ts";

/** Who calls a tool, and how long anyone waits for it. */
export interface McpCall {
  readonly project: McpProject;
  /** The name that the client gives itself. */
  readonly client: string;
  /** Over when the client takes the call back, or goes away. */
  readonly signal: AbortSignal;
}

/** Something that another program may ask for; nothing here approves, accepts, or changes a plan. */
export interface McpTool extends Arguments {
  readonly name: string;
  readonly description: string;
  /** Whether it may take longer than an answer from files. */
  readonly isSlow?: boolean;
  /**
   * @param args as its `properties` and `required` have it
   * @returns what the client is told, as plain data
   * @throws GaiaError for what the client can put right
   */
  run(args: never, call: McpCall): Promise<object>;
}
