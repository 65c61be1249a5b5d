import { renderSummaryLine } from "../checks/definition-of-done/render.ts";
import type { DefinitionOfDoneReport } from "../checks/definition-of-done/report.ts";
import { evidenceOfOneRun } from "../checks/evidence/open.ts";
import { createVerifier, type Verification } from "../checks/verifier.ts";
import { steadyClock, systemClock } from "../lib/clock.ts";
import { renderExactDuration } from "../lib/figures.ts";
import { silentLogger } from "../lib/logger.ts";
import { createRedactor } from "../lib/redaction.ts";
import { loadPolicy } from "../policy/policy.ts";
import { MESSAGE_VARIABLE } from "../snapshot/commit/hooks.ts";
import { createVcs } from "../snapshot/vcs.ts";
import { type CommandScene, defineCommand, interruptible } from "./main.ts";
import { openProjectAround } from "./project.ts";

const HELP = `opencode-gaia check [--scope name] [--json] [--until-eof]

Runs this project's Definition of Done, as /gaia-check and GAIA herself do.

  --json        The result as JSON, for programs.
  --until-eof   Stops when its standard input ends, with everything that it started.
  --scope name  full (the default), doc, or a part of the project, such as frontend.

Exit code 0: it passed, or none is configured. 1: it did not pass. 2: it could not be run, because it is
broken, refused, or you have not said yes to its commands (opencode-gaia trust).`;
const NOTHING_TO_CHECK =
  "No Definition of Done is configured, so nothing was checked. /gaia-init sets one up.";
const FAILED = 1;
const NOT_RUN = 2;

export const check = defineCommand({
  name: "check",
  summary: "run this project's Definition of Done; the exit code says whether it passed",
  help: HELP,
  options: {
    scope: { type: "string" },
    json: { type: "boolean" },
    "until-eof": { type: "boolean" },
  },
  run: async (given, scene) => interruptible(async (interrupt) => runCheck(given, scene, interrupt)),
});

async function runCheck(
  { scope, json, ...values }: { scope?: string; json?: boolean; "until-eof"?: boolean },
  { print, from, environment }: CommandScene,
  interrupt: AbortController,
): Promise<number> {
  // In a hook of the host's commit: the host has run these checks on these files, and the sandbox hides what was trusted.
  if (environment[MESSAGE_VARIABLE] !== undefined) {
    print("GAIA's host has run these checks before this commit.");
    return 0;
  }
  const { directory, opened, trust } = await openProjectAround(from, environment);
  const { wanted, problems, config } = opened.loaded;
  const examine = loadPolicy({ directory, ...config.policy });
  const proofs = createVerifier({
    ...evidenceOfOneRun(silentLogger, directory),
    timeOfDay: systemClock,
    directory,
    vcs: createVcs("none", directory),
    adopted: { definition: wanted.definitionOfDone },
    problems,
    clock: steadyClock,
    redact: createRedactor(environment),
    untrusted: trust.untrusted,
    examine: async (command) => examine("command", { kind: "command", command, workdir: null }),
  }).open();
  const stop = (): void => interrupt.abort();
  if (values["until-eof"] === true) process.stdin.once("end", stop).once("close", stop).resume();
  try {
    const verification = await proofs.verify({ scope, by: "user", signal: interrupt.signal });
    print(json === true ? JSON.stringify(asData(verification)) : renderVerification(verification));
    if (verification.kind === "none") return 0;
    if (verification.kind === "broken") return NOT_RUN;
    return verification.report.passed ? 0 : FAILED;
  } finally {
    // An open end would keep the process.
    if (values["until-eof"] === true) process.stdin.off("end", stop).off("close", stop).destroy();
  }
}

/** For programs; what was not run has passed nothing. */
function asData(verification: Verification): object {
  if (verification.kind === "ran") {
    const { report } = verification;
    return { ...report, checks: report.checks.map(({ signature: _own, ...check }) => check) };
  }
  const nothing = { passed: false, checks: [], artifacts: [] };
  return verification.kind === "none"
    ? { ...nothing, notes: [NOTHING_TO_CHECK] }
    : { ...nothing, notes: [], problem: `Nothing was checked. ${verification.problem}` };
}

function renderVerification(verification: Verification): string {
  if (verification.kind === "none") return NOTHING_TO_CHECK;
  if (verification.kind === "broken") return `Nothing was checked. ${verification.problem}`;
  return renderReport(verification.report);
}

/** What did not pass with the end of its output, then the summary, which stands where one looks first. */
function renderReport(report: DefinitionOfDoneReport): string {
  const failing = report.checks.filter(({ status }) => status !== "passed");
  const blocks = failing.map(
    ({ id, command, status, exit_code: code, duration_ms: took, output_tail: tail, detail }) => {
      const ending = code === null ? status : `${status}, exit code ${code}`;
      const lines = tail
        .trimEnd()
        .split("\n")
        .filter(Boolean)
        .map((line) => `    ${line}`);
      return [
        `✗ ${id} (${ending}, ${renderExactDuration(took)}): ${command}`,
        ...(detail === undefined ? [] : [`    ${detail}`]),
        ...lines,
      ].join("\n");
    },
  );
  return [...blocks, ...report.notes, renderSummaryLine(report)].join("\n");
}
