import { join } from "node:path";
import type { JudgedClaim } from "../../../src/checks/evidence/claims.ts";
import type { EvidenceLedger } from "../../../src/checks/evidence/evidence.ts";
import type { Proofs } from "../../../src/checks/verifier.ts";
import { systemClock } from "../../../src/lib/async.ts";
import { silentLogger } from "../../../src/lib/error.ts";
import { createSeal } from "../../../src/lib/seal.ts";
import { createVcs } from "../../../src/snapshot/vcs.ts";
import { createWorkspace, type Workspace } from "../../../src/record/workspace.ts";
import { evidenceIn } from "../../support/evidence.ts";
import { define } from "../definition.ts";
import { createProject, git, writeFiles } from "../project.ts";

/** A project with one unit whose plan can be proven, over real folders and processes. */
export interface Scene {
  readonly directory: string;
  readonly workspace: Workspace;
  readonly proofs: Proofs;
  readonly ledger: EvidenceLedger;
  write(files: Record<string, string>): Promise<void>;
  /** Notes the checks' own files, and how the commands of the plan end, as the beginning of the work does. */
  begin(): Promise<void>;
  /** Has everything in the plan run that is not green. */
  prove(options?: ProveOptions): Promise<readonly JudgedClaim[]>;
  standing(unit?: string): Promise<JudgedClaim[]>;
  /** The same project in another process of the same user, or of another one. */
  reopen(key?: string): Promise<Scene>;
}

interface ProveOptions {
  signal?: AbortSignal;
  isLocked?: boolean;
  isByPerson?: boolean;
  refusal?: string | null;
}

export const UNIT = "unit";
/** Passes as long as the answer is right. */
export const RIGHT = "grep -q right answer.txt";

/** A plan with one ticked task. @param files that it says it changes */
export function planWith(verify: string, conditions: readonly string[] = [], files = ""): string {
  const done = conditions.map((text) => `- ${text}`).join("\n");
  const named = files === "" ? "" : `\n  - files: ${files}`;
  return `# Unit\n\n> Status: in-progress\n\n## Goal\n\nGo.\n\n## Tasks\n\n- [x] 1. Answer${named}\n  - verify: ${verify}\n\n## Done When\n\n${done}\n`;
}

export async function createScene({
  plan = planWith(RIGHT),
  files = {},
  checks = [{ id: "answer", command: RIGHT }],
  withGit = false,
  hasSandbox = true,
}: {
  plan?: string;
  files?: Record<string, string>;
  checks?: readonly { id: string; command: string }[];
  withGit?: boolean | "unborn";
  hasSandbox?: boolean;
} = {}): Promise<Scene> {
  const directory = await createProject({ "answer.txt": "right\n", ...files });
  if (withGit !== false) await git(directory, "init", "-q");
  if (withGit === true) {
    await git(directory, "add", ".");
    await git(directory, "commit", "-qm", "first");
  }
  const scene = await open(directory, withGit !== false, "the user's key", checks, hasSandbox);
  await scene.workspace.createWorkUnit({ slug: UNIT, title: "Unit" });
  await writeFiles(directory, { [`.gaia/${UNIT}/plan.md`]: plan });
  return scene;
}

async function open(
  directory: string,
  withGit: boolean,
  key: string,
  checks: readonly { id: string; command: string }[],
  hasSandbox: boolean,
): Promise<Scene> {
  const seal = createSeal(() => key);
  const workspace = createWorkspace({ directory, clock: systemClock, logger: silentLogger, seal });
  const vcs = withGit ? createVcs("git", directory) : createVcs("none", directory);
  const adopted = { definition: define({ checks: [...checks] }) };
  const evidence = evidenceIn(directory, { vcs, workspace, hasSandbox, adopted });
  const proofs = evidence.verifier.open();
  return {
    directory,
    workspace,
    proofs,
    ledger: evidence.runner.ledger,
    write: async (files) => writeFiles(directory, files),
    async begin() {
      await evidence.planEvidence.pin(UNIT);
      await proofs.pin(UNIT);
      const signal = new AbortController().signal;
      await evidence.planEvidence.measure(UNIT, () => true, { signal, isLocked: false, isByPerson: true });
    },
    async prove({
      signal = new AbortController().signal,
      isLocked = false,
      isByPerson = true,
      refusal = null,
    } = {}) {
      const facts = { signal, isLocked, isByPerson, refusal };
      return (await evidence.planEvidence.prove(UNIT, () => true, facts)).claims;
    },
    standing: async (unit = UNIT) => evidence.planEvidence.standing(unit),
    reopen: async (other = key) => open(directory, withGit, other, checks, hasSandbox),
  };
}

/** The file of evidence of the scene's unit. */
export const evidenceFile = (scene: Scene, unit = UNIT): string =>
  join(scene.directory, ".gaia", unit, "evidence.json");
