import { GAIA } from "../../src/agents/gaia.ts";
import { SPECIALISTS } from "../../src/agents/registry.ts";
import { renderConfigJsonSchema } from "../../src/config/json-schema.ts";
import { isRecord, recordOf, textOf, type JsonRecord } from "../../src/lib/json.ts";

/** The documents' table of every key of the configuration, from the same schema that checks it. */
export function renderConfigReference(): string {
  const schema = recordOf(renderConfigJsonSchema([GAIA, ...SPECIALISTS.map(({ name }) => name)]));
  const override = recordOf(recordOf(schema["definitions"])["agentOverride"]);
  const rows = [
    ...rowsOf("", { ...recordOf(schema["properties"]), agents: undefined }),
    ...rowsOf("agents.<name>.", recordOf(override["properties"])),
  ];
  return ["| key | values | default | what it does |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

/** A row per key; a key that holds keys is only the beginning of their names. */
function rowsOf(prefix: string, properties: JsonRecord): string[] {
  return Object.entries(properties).flatMap(([key, value]) => {
    if (!isRecord(value)) return [];
    const inner = isRecord(value["properties"]) ? value : recordOf(value["items"]);
    const name = `${prefix}${key}${value["type"] === "array" && isRecord(inner["properties"]) ? "[]" : ""}`;
    if (isRecord(inner["properties"])) return rowsOf(`${name}.`, inner["properties"]);
    const cells = [`\`${name}\``, valuesOf(value), defaultOf(value), textOf(value["description"]) ?? ""];
    return [`| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`];
  });
}

function valuesOf(value: JsonRecord): string {
  if (Array.isArray(value["enum"])) return value["enum"].map((each) => `\`${String(each)}\``).join(" ");
  if (typeof value["const"] === "string") return `\`${value["const"]}\``;
  if (Array.isArray(value["anyOf"]))
    return value["anyOf"].map((each) => valuesOf(recordOf(each))).join(" or ");
  const items = recordOf(value["items"]);
  if (value["type"] === "array") return `list of ${valuesOf(items)}`;
  if (value["type"] === "object") return "object";
  const { minimum, maximum } = value;
  const range = typeof minimum === "number" && typeof maximum === "number" ? ` ${minimum} to ${maximum}` : "";
  return value["pattern"] === undefined ? `${String(value["type"])}${range}` : "provider/model";
}

function defaultOf(value: JsonRecord): string {
  const preset = value["default"];
  if (preset === undefined) return "–";
  const isEmpty = typeof preset === "object" && preset !== null && Object.keys(preset).length === 0;
  return isEmpty ? "none" : `\`${typeof preset === "string" ? preset : JSON.stringify(preset)}\``;
}
