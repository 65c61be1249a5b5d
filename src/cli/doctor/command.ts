import { isJsonObject, type JsonValue, type KeyPath, renderKeyPath } from "../../config/json-value.ts";
import { redactDeep, createRedactor } from "../../lib/redaction.ts";
import { defineCommand, interruptible, misuse } from "../main.ts";
import { readOwnPackage } from "../own-package.ts";
import { examine } from "./checks.ts";
import type { DoctorFinding, Level } from "./finding.ts";
import { type AgentModels, resolveAgentModels } from "./models.ts";
import { createRunOpenCode, type RunOpenCode } from "./opencode.ts";
import { lookAtSetup, type Setup } from "./setup.ts";

/** Raised when a field of the JSON report changes its meaning or goes away. */
const REPORT_VERSION = 1;

/** Everything that `doctor` says, as one document; `--json` prints it. */
export interface Report {
  readonly report: typeof REPORT_VERSION;
  readonly directory: string;
  readonly versions: { readonly gaia: string; readonly opencode: string | null; readonly node: string };
  readonly healthy: boolean;
  readonly findings: readonly DoctorFinding[];
  /** null while OpenCode's models are not known. */
  readonly agents: readonly AgentModels[] | null;
  readonly config: readonly ConfigValue[];
}

interface ConfigValue {
  readonly key: string;
  readonly value: JsonValue;
  readonly source: string;
}

/** Puts the report together. Secrets of the environment are replaced wherever they occur (SPEC 2.8). */
export function buildReport(setup: Setup, findings: readonly DoctorFinding[]): Report {
  const { own, node, openCode, directory, environment } = setup;
  const report: Report = {
    report: REPORT_VERSION,
    directory,
    versions: { gaia: own.version, opencode: openCode.state === "read" ? openCode.value : null, node },
    healthy: findings.every(({ level }) => level !== "error"),
    findings,
    agents: resolveAgentModels(setup),
    config: effectiveValues(setup),
  };
  return redactDeep(report, createRedactor(environment));
}

function effectiveValues({ config: { config, provenance } }: Setup): ConfigValue[] {
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
export function renderDoctorReport(report: Report, verbose: boolean): string {
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

function renderFinding({ level, what, fix }: DoctorFinding): string[] {
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

function summarise(findings: readonly DoctorFinding[]): string {
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

const DEFAULT_SECONDS = 30;
const MAX_SECONDS = 600;
/** How a shell reports that Ctrl-C ended a program. */
const INTERRUPTED = 130;

const HELP = `opencode-gaia doctor [--verbose] [--json] [--timeout seconds]

Examines the set-up of this folder: versions, whether OpenCode lists the plugin and really loads
it (OpenCode is started for that; no model is asked), the panel in tui.json, configuration, models
of every agent, disabled and overridden agents, custom specialists, ripgrep, the sandbox and the
record. Every problem comes with what to do about it.

  --verbose          Also each agent's model and every effective setting with its source.
  --json             The whole report as one JSON document, for scripts.
  --timeout seconds  How long each call of OpenCode may take; default ${DEFAULT_SECONDS}.

Exit code 0: nothing worse than a warning. 1: at least one error.`;

export const doctor = defineCommand({
  name: "doctor",
  summary: "examine the set-up and say how to fix what is wrong",
  help: HELP,
  options: {
    json: { type: "boolean" },
    verbose: { type: "boolean", short: "v" },
    timeout: { type: "string" },
  },
  async run({ json = false, verbose = false, timeout = "" }, { print, from: directory, environment }) {
    const seconds = Number(timeout || DEFAULT_SECONDS);
    if (!(seconds > 0 && seconds <= MAX_SECONDS)) {
      const what = `--timeout is a number of seconds up to ${MAX_SECONDS}, not "${timeout}".`;
      throw misuse("doctor", what);
    }
    return interruptible(async ({ signal: interrupt }) => {
      // Beside the report, which scripts read.
      const tell = (text: string): void => void (json || process.stderr.write(`${text}\n`));
      const ask = createRunOpenCode({ directory, environment, limit: seconds * 1_000, interrupt });
      const run: RunOpenCode = async (asked) => {
        tell(`… opencode ${asked.join(" ")}`);
        return ask(asked);
      };
      tell(`Looking at ${directory}; OpenCode is started for it, which takes some seconds.`);
      const own = await readOwnPackage();
      const node = process.versions.node;
      const setup = await lookAtSetup({ own, directory, environment, node, run });
      const findings = await examine(setup);
      if (interrupt.aborted) return INTERRUPTED;
      const report = buildReport(setup, findings);
      print(json ? JSON.stringify(report, null, 2) : renderDoctorReport(report, verbose));
      return report.healthy ? 0 : 1;
    });
  },
});
