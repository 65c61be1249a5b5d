import { plainText } from "../lib/markdown.ts";
import { renderChecks, renderSummaryLine } from "../checks/definition-of-done/render.ts";
import { createCheckSession } from "../checks/check-session.ts";
import { createEvidenceLedger } from "../checks/evidence/evidence.ts";
import { createRunner } from "../checks/evidence/runner.ts";
import { createHostRuns } from "../checks/host-runs.ts";
import { createVerifier, type Verification } from "../checks/verifier.ts";
import { steadyClock, systemClock } from "../lib/async.ts";
import { silentLogger } from "../lib/error.ts";
import { createRedactor } from "../lib/redaction.ts";
import { loadPolicy } from "../policy/policy.ts";
import { createWorkspace } from "../record/workspace.ts";
import { MESSAGE_VARIABLE } from "../commit/commit.ts";
import { createVcs } from "../snapshot/vcs.ts";
import { defineCommand, interruptible } from "./main.ts";
import { openProjectAround } from "./opencode-files.ts";

export const NOTHING_TO_CHECK =
  "No Definition of Done is configured, so nothing was checked. /gaia-init sets one up.";
const FAILED = 1;
const NOT_RUN = 2;

export const check = defineCommand({
  name: "check",
  summary: "run this project's Definition of Done; the exit code says whether it passed",
  options: { scope: { type: "string" } },
  async run({ scope }, { print, from, environment }) {
    // In a hook of the host's commit: the host has run these checks on these files, and the sandbox hides what was trusted.
    if (environment[MESSAGE_VARIABLE] !== undefined) {
      print("GAIA's host has run these checks before this commit.");
      return 0;
    }
    const verification = await interruptible(async ({ signal }) =>
      verifyProject(from, environment, scope, signal),
    );
    if (verification.kind !== "ran") {
      const isNone = verification.kind === "none";
      print(isNone ? NOTHING_TO_CHECK : plainText(`Nothing was checked. ${verification.problem}`));
      return isNone ? 0 : NOT_RUN;
    }
    const { report } = verification;
    print(plainText([renderChecks(report), "", renderSummaryLine(report)].join("\n")));
    return report.passed ? 0 : FAILED;
  },
});

/** Runs the checks of a project as a person runs them by hand: as they are, those that they trust, and what they change stays. */
export async function verifyProject(
  from: string,
  environment: NodeJS.ProcessEnv,
  scope: string | undefined,
  signal: AbortSignal,
): Promise<Verification> {
  const { directory, opened, trust } = await openProjectAround(from, environment);
  const { wanted, problems, config } = opened.loaded;
  const examine = loadPolicy({ directory, ...config.policy });
  const redact = createRedactor(environment);
  const vcs = createVcs("none", directory);
  const workspace = createWorkspace({ directory, clock: systemClock, logger: silentLogger, redact });
  const runner = createRunner({
    directory,
    vcs,
    clock: steadyClock,
    timeOfDay: systemClock,
    redact,
    ledger: createEvidenceLedger(workspace, silentLogger),
    hostRuns: createHostRuns(
      { mode: "machine" },
      async () => Promise.reject(new Error("no sandbox here")),
      async (command) => examine("command", { kind: "command", command, workdir: null }),
    ),
    session: createCheckSession(vcs),
  });
  const adopted = { definition: wanted.definitionOfDone };
  const verifier = createVerifier(runner, { adopted, problems, untrusted: trust.untrusted });
  return verifier.open().verify({ scope, by: "user", signal });
}
