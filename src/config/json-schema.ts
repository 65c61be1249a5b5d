import * as z from "zod/mini";
import { AgentOverrideSchema } from "./agent-override.ts";
import { createConfigSchema } from "./schema.ts";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * The JSON Schema (draft 7, which editors know best) of a configuration file, for completion and checks while typing.
 * It is strict wherever the loader is, except that `agents` takes names beyond the given ones: a project's custom
 * specialists are not known when the schema is published.
 * @param agentNames agents that editors should propose
 */
export function renderConfigJsonSchema(agentNames: readonly string[]): JsonSchema {
  const { $schema, ...schema } = toJsonSchema(createConfigSchema([]));
  const { $schema: _same, ...override } = toJsonSchema(AgentOverrideSchema);
  const reference = { $ref: "#/definitions/agentOverride" };
  const agents = schema.properties?.["agents"];
  return {
    ...($schema === undefined ? {} : { $schema }),
    title: "Configuration of GAIA for OpenCode",
    ...schema,
    properties: {
      ...schema.properties,
      agents: {
        ...(typeof agents === "object" ? agents : {}),
        properties: Object.fromEntries(agentNames.map((name) => [name, reference])),
        additionalProperties: reference,
      },
    },
    definitions: { agentOverride: override },
  };
}

function toJsonSchema(schema: z.core.$ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: "input", target: "draft-7" });
}
