import { type JsonValue, renderKeyPath, valueAt } from "../../config/json-value.ts";
import { leafPaths } from "../../config/layers.ts";
import { counted } from "../../lib/figures.ts";
import { createRedactor } from "../../lib/redaction.ts";
import { defineCommand, INTERRUPTED, interruptible } from "../main.ts";
import { readOwnPackage } from "../own-package.ts";
import { type DoctorFinding, examine } from "./checks.ts";
import type { Level } from "./finding.ts";
import { resolveAgentModels } from "./models.ts";
import { createRunOpenCode, type RunOpenCode } from "./opencode.ts";
import { lookAtSetup, type Setup } from "./setup.ts";

/** What `doctor` says. Secrets of the environment are replaced (SPEC 2.9). @param verbose with each agent's model and each effective value */
export function renderDoctorReport(
  setup: Setup,
  findings: readonly DoctorFinding[],
  verbose: boolean,
): string {
  const { own, directory, environment } = setup;
  const text = [
    `GAIA ${own.version} in ${directory}`,
    "",
    ...findings.flatMap(renderFinding),
    ...(verbose ? [...renderAgents(setup), ...renderConfig(setup)] : []),
    "",
    summarise(findings),
  ].join("\n");
  return createRedactor(environment)(text);
}

function renderFinding({ level, what, fix }: DoctorFinding): string[] {
  const head = `${level.padEnd(5)}  ${what}`;
  return fix === null ? [head] : [head, `       → ${fix}`];
}

function renderAgents(setup: Setup): string[] {
  const agents = resolveAgentModels(setup);
  if (agents === null) return [];
  const rows = agents.map(({ name, disabled, chain, runsOn }): [string, string] => {
    const model = disabled ? "disabled" : (runsOn ?? "the session's model");
    return [name, chain.length > 1 ? `${model}   (${chain.join(" → ")})` : model];
  });
  return renderTable("Models, with the order of preference", rows);
}

function renderConfig({ config: { config, provenance } }: Setup): string[] {
  const rows = leafPaths(config as JsonValue, []).map((path): [string, string] => {
    const key = renderKeyPath(path);
    const value = JSON.stringify(valueAt(config as JsonValue, path));
    return [key, `${value}   (${provenance.get(key) ?? "default"})`];
  });
  return renderTable("Configuration in effect, with the source of each value", rows);
}

function renderTable(title: string, rows: readonly (readonly [name: string, what: string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return ["", title, ...rows.map(([name, what]) => `  ${name.padEnd(width)}  ${what}`)];
}

function summarise(findings: readonly DoctorFinding[]): string {
  const count = (level: Level): number => findings.filter((finding) => finding.level === level).length;
  const [errors, warnings] = [count("error"), count("warn")];
  if (errors + warnings === 0) return "All is well.";
  if (errors === 0) return `${counted(warnings, "warning")}, no errors.`;
  return `${counted(errors, "error")}${warnings === 0 ? "" : `, ${counted(warnings, "warning")}`}.`;
}

/** How long each call of OpenCode may take, in milliseconds. */
const LIMIT_MS = 90_000;

export const doctor = defineCommand({
  name: "doctor",
  summary: "examine the set-up and say how to fix what is wrong",
  options: { verbose: { type: "boolean", short: "v" } },
  async run({ verbose = false }, { print, from: directory, environment }) {
    return interruptible(async ({ signal: interrupt }) => {
      // Beside the report, which may go into a file.
      const tell = (text: string): void => void process.stderr.write(`${text}\n`);
      const ask = createRunOpenCode({ directory, environment, limit: LIMIT_MS, interrupt });
      const run: RunOpenCode = async (asked) => {
        tell(`… opencode ${asked}`);
        return ask(asked);
      };
      tell(`Looking at ${directory}; OpenCode is started for it, which takes some seconds.`);
      const own = await readOwnPackage();
      const setup = await lookAtSetup({ own, directory, environment, run });
      const findings = await examine(setup);
      if (interrupt.aborted) return INTERRUPTED;
      print(renderDoctorReport(setup, findings, verbose));
      return isHealthy(findings) ? 0 : 1;
    });
  },
});

export function isHealthy(findings: readonly DoctorFinding[]): boolean {
  return findings.every(({ level }) => level !== "error");
}
