import { describe, expect, it } from "vitest";
import { renderConfigJsonSchema, type JsonSchema } from "../../src/config/json-schema.ts";
import { isRecord, recordOf } from "../../src/lib/json.ts";
import { AGENTS } from "./config-files.ts";

const schema = renderConfigJsonSchema(AGENTS);

/** All objects that a schema describes by their keys. @param except a keyword that is not followed */
function objectsIn(node: unknown, except = ""): JsonSchema[] {
  if (Array.isArray(node)) return node.flatMap((each) => objectsIn(each, except));
  if (!isRecord(node)) return [];
  const isObject = isRecord(node["properties"]) && typeof node["type"] === "string";
  const inner = Object.entries(node).filter(([keyword]) => keyword !== except);
  return [...(isObject ? [node as JsonSchema] : []), ...inner.flatMap(([, each]) => objectsIn(each, except))];
}

describe("the published JSON Schema", () => {
  it("takes no key that it does not know, but for names of agents, which are overrides", () => {
    const agents = recordOf(schema.properties?.["agents"]);
    const others = objectsIn(schema).filter((each) => each !== agents);
    expect(others.length).toBeGreaterThan(20);
    expect(others.every(({ additionalProperties }) => additionalProperties === false)).toBe(true);
    expect(agents["additionalProperties"]).toEqual({ $ref: "#/definitions/agentOverride" });
  });

  it("wants nothing at the top or of an agent, and every word of a choice", () => {
    expect([
      schema.required ?? [],
      recordOf(recordOf(schema.definitions)["agentOverride"])["required"] ?? [],
    ]).toEqual([[], []]);
    expect(schema.properties?.["mode"]).toMatchObject({ enum: ["supervised", "autopilot", "locked"] });
    expect(schema.properties?.["$schema"]).toMatchObject({ type: "string" });
  });

  it("proposes the agents and says what each key is for", () => {
    const agents = recordOf(schema.properties?.["agents"]);
    expect(Object.keys(recordOf(agents["properties"]))).toEqual([...AGENTS]);
    const undescribed = objectsIn(schema, "anyOf").flatMap(({ properties = {} }) =>
      Object.entries(properties).filter(([, each]) => !isRecord(each) || !(each.description ?? each.$ref)),
    );
    expect(undescribed).toEqual([]);
  });
});
