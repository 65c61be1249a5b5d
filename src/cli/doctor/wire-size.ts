import type { PluginInput } from "@opencode-ai/plugin";
import * as z from "zod/mini";
import { renderJsonSchema } from "../../contracts/json-schema.ts";
import { GAIA } from "../../agents/gaia.ts";
import { recordOf, textOf } from "../../lib/json.ts";
import { createPlugin } from "../../plugin.ts";

/** What GAIA adds to each of her own requests, in bytes of JSON. Other agents' requests carry none of it. */
export interface WireSize {
  readonly prompt: number;
  /** Definition by tool name: name, description and JSON Schema of the arguments. */
  readonly tools: Readonly<Record<string, number>>;
}

/** How {@link measureWireSize} counts, for anyone who reads the numbers. */
export const WIRE_METHOD =
  "UTF-8 bytes of JSON: GAIA's prompt without project context, and name, description and JSON Schema of her own tools";

/** What OpenCode says of the schemas that it makes. */
const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/**
 * Composes the plugin in this process, as OpenCode would for `directory`, and counts what it registers.
 * @param options the second element of the plugin's entry in opencode.json
 */
export async function measureWireSize(directory: string, options: object | undefined): Promise<WireSize> {
  const hooks = await createPlugin(detachedInput(directory), { ...options });
  try {
    const config: { agent?: unknown } = {};
    await hooks.config?.(config as never);
    const gaia = recordOf(recordOf(config.agent)[GAIA]);
    const tools = Object.entries(hooks.tool ?? {}).map(([name, { description, args }]): [string, number] => {
      const parameters = { $schema: DIALECT, ...renderJsonSchema(z.object(args)) };
      return [name, bytes({ type: "function", function: { name, description, parameters } })];
    });
    return { prompt: bytes(textOf(gaia["prompt"]) ?? ""), tools: Object.fromEntries(tools) };
  } finally {
    await hooks.dispose?.();
  }
}

function bytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** There is no OpenCode behind it: nothing that composing the plugin does needs one, except a place for its log. */
function detachedInput(directory: string): PluginInput {
  const silent = async (): Promise<object> => ({ data: null });
  const client = { _client: { get: silent, post: silent, patch: silent } };
  return { client, directory, worktree: directory } as unknown as PluginInput;
}
