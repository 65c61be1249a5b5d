import { isJsonObject, renderKeyPath, type JsonValue, type KeyPath } from "../../config/json-value.ts";
import { redactDeep } from "../../lib/redact-deep.ts";
import { createRedactor } from "../../lib/redaction.ts";
import { resolveAgentModels, type AgentModels } from "./agent-models.ts";
import type { Facts } from "./facts.ts";
import type { Finding, Level } from "./finding.ts";
import { WIRE_METHOD } from "./wire-size.ts";

/** Raised when a field of the JSON report changes its meaning or goes away. */
const REPORT_VERSION = 1;

/** Everything that `doctor` says, as one document; `--json` prints it. */
export interface Report {
  readonly report: typeof REPORT_VERSION;
  readonly directory: string;
  readonly versions: { readonly gaia: string; readonly opencode: string | null; readonly node: string };
  /** Whether the exit code is 0. */
  readonly healthy: boolean;
  readonly findings: readonly Finding[];
  /** null while OpenCode's models are not known. */
  readonly agents: readonly AgentModels[] | null;
  readonly config: readonly ConfigValue[];
  /** Bytes; null when they could not be measured. */
  readonly wire: { method: string; prompt: number; tools: Readonly<Record<string, number>> } | null;
}

/** One effective value of the configuration. */
export interface ConfigValue {
  readonly key: string;
  readonly value: JsonValue;
  readonly source: string;
}

/** Puts the report together. @param environment its secrets are replaced wherever they occur (SPEC 2.8) */
export function buildReport(
  facts: Facts,
  findings: readonly Finding[],
  environment: NodeJS.ProcessEnv,
): Report {
  const { own, node, openCode, directory, wire } = facts;
  const report: Report = {
    report: REPORT_VERSION,
    directory,
    versions: { gaia: own.version, opencode: openCode.state === "read" ? openCode.value : null, node },
    healthy: findings.every(({ level }) => level !== "error"),
    findings,
    agents: resolveAgentModels(facts),
    config: effectiveValues(facts),
    wire: wire.state === "read" ? { method: WIRE_METHOD, ...wire.value } : null,
  };
  return redactDeep(report, createRedactor(environment));
}

function effectiveValues({ config: { config, provenance } }: Facts): ConfigValue[] {
  return leaves(config as JsonValue, []).map(([path, value]) => {
    const key = renderKeyPath(path);
    return { key, value, source: provenance.get(key) ?? "default" };
  });
}

function leaves(value: JsonValue, path: KeyPath): [KeyPath, JsonValue][] {
  if (!isJsonObject(value) || Object.keys(value).length === 0) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]));
}

/** The report for a person. @param verbose with each agent's model and each effective value */
export function renderReport(report: Report, verbose: boolean): string {
  const { findings, directory, versions } = report;
  return [
    `GAIA ${versions.gaia} in ${directory}`,
    "",
    ...findings.flatMap(renderFinding),
    ...(verbose ? [...renderAgents(report.agents), ...renderConfig(report.config)] : []),
    "",
    summarise(findings),
  ].join("\n");
}

function renderFinding({ level, what, fix }: Finding): string[] {
  const head = `${level.padEnd(5)}  ${what}`;
  return fix === null ? [head] : [head, `       → ${fix}`];
}

function renderAgents(agents: Report["agents"]): string[] {
  if (agents === null) return [];
  const rows = agents.map(({ name, disabled, chain, runsOn }): [string, string] => {
    const model = disabled ? "disabled" : (runsOn ?? "the session's model");
    return [name, chain.length > 1 ? `${model}   (${chain.join(" → ")})` : model];
  });
  return renderTable("Models, with the order of preference", rows);
}

function renderConfig(values: readonly ConfigValue[]): string[] {
  return renderTable(
    "Configuration in effect, with the source of each value",
    values.map(({ key, value, source }) => [key, `${JSON.stringify(value)}   (${source})`]),
  );
}

function renderTable(title: string, rows: readonly (readonly [name: string, what: string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return ["", title, ...rows.map(([name, what]) => `  ${name.padEnd(width)}  ${what}`)];
}

function summarise(findings: readonly Finding[]): string {
  const count = (level: Level): number => findings.filter((finding) => finding.level === level).length;
  const [errors, warnings] = [count("error"), count("warn")];
  if (errors + warnings === 0) return "All is well.";
  const words = [plural(errors, "error"), plural(warnings, "warning")].filter((word) => word !== "");
  return errors === 0 ? `${words.join(", ")}, no errors.` : `${words.join(", ")}.`;
}

function plural(count: number, noun: string): string {
  if (count === 0) return "";
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
