import type { CheckDefinition } from "../config/definition-of-done.ts";
import type { SandboxConfig } from "../config/sandbox.ts";
import { describeError } from "../lib/error.ts";
import { explainFailure } from "../sandbox/explain-failure.ts";
import type { Containment } from "../sandbox/containment.ts";
import { decideSandbox } from "../sandbox/decide.ts";
import type { HookSandbox } from "../commit/commit.ts";
import type { Examination } from "../policy/examination.ts";

export interface Wanted {
  readonly isLocked: boolean;
  /** A person has read and approved exactly this command: a trusted check, or a plan that was approved in a dialog. */
  readonly isByPerson: boolean;
}

/** What a check of the Definition of Done may ask for; a plan's command asks for nothing. */
export type Asked = Pick<CheckDefinition, "network" | "uncontained">;

/** The program that runs a check in a folder: a shell command as it is, or a program with its arguments. @throws when it must not run */
export type ProgramOf = (
  check: CheckDefinition,
  folder: string,
) => Promise<string | readonly [string, ...string[]]>;

export type HostRuns = ReturnType<typeof createHostRuns>;

/** Of a command that the host runs as a check, beside what its session and its author say. */
const CHECK = {
  role: "checker",
  network: false,
  isCovered: false,
  escapes: false,
  reads: false,
  isApproved: false,
  deletes: false,
} as const;
const ALSO = {
  locked: ", and the session is locked",
  "no sandbox": ", and everything is to run in one (sandbox: on)",
  "always sandboxed": "",
};

/** Hooks are the user's own, as checks are: a person has agreed to them, and the sandbox holds what they start. */
const HOOKS: Wanted = { isLocked: false, isByPerson: true };
const ASKS_FOR_MORE =
  'In gaia.jsonc of the user\'s own, "sandbox": { "writable": [...] } gives hooks a folder, and { "hooks": "uncontained" } runs them as they are.';

export function createHostRuns(
  { mode, hooks = "contained" }: Pick<SandboxConfig, "mode"> & Partial<SandboxConfig>,
  load: () => Promise<Containment>,
  examine: (command: string) => Promise<ExaminedCommand>,
  /** Told before something runs that no sandbox holds. */
  doubt: () => void = () => undefined,
) {
  const find = async () => {
    if (mode === "off" || mode === "machine") return { containment: null, why: `sandbox: ${mode}` };
    try {
      const containment = await load();
      const state = await containment.hostReady();
      return state.kind === "unavailable" ? { containment: null, why: state.why } : { containment, why: "" };
    } catch (error) {
      return { containment: null, why: describeError(error) };
    }
  };
  /** @returns null where it runs as it is. @throws where it must not run */
  const sandboxFor = async (
    { isLocked, isByPerson }: Wanted,
    { network = false, uncontained = false }: Asked,
  ) => {
    const { containment, why } = await find();
    const isAvailable = containment !== null;
    const mayAsk = isByPerson && !isLocked;
    const asks = mayAsk && network ? "network" : null;
    const decision = decideSandbox({ ...CHECK, mode, isAvailable, isLocked, isAllowed: isByPerson, asks });
    const also = decision.kind === "refuse" ? ALSO[decision.why] : "";
    if (decision.kind !== "run") throw new Error(`no sandbox here${also} (${why})`);
    const isFreed = mayAsk && uncontained;
    if (containment !== null && decision.profile !== null && !isFreed)
      return { containment, profile: decision.profile };
    doubt();
    return null;
  };
  const forHooks = async () => sandboxFor(HOOKS, { uncontained: hooks === "uncontained" });
  return {
    programs:
      (wanted: Wanted): ProgramOf =>
      async (check, folder) => {
        const refusal = refuseCheck(await examine(check.command));
        if (refusal !== null) throw new Error(`it ${refusal}`);
        const found = await sandboxFor(wanted, check);
        return found === null
          ? check.command
          : found.containment.command(found.profile, folder, check.command);
      },
    /** In which hooks of the repository run at the host's commit: agents may have written what they start. */
    hooks: {
      async program(command, folder, view) {
        const found = await forHooks();
        return found === null ? null : found.containment.command(found.profile, folder, command, view);
      },
      async explain(output) {
        const found = await forHooks();
        const wall = found && explainFailure(output, found.profile, false);
        return wall ? `${wall} ${ASKS_FOR_MORE}` : "";
      },
    } satisfies HookSandbox as HookSandbox,
  };
}

/** What decides whether a command may be a check at all. */
export type ExaminedCommand = Pick<Examination, "effect" | "reason" | "secret" | "protectedTarget">;

/** Why the host never runs a command as a check, whoever wants it; null when it may (SPEC 9). */
function refuseCheck({ effect, reason, secret, protectedTarget }: ExaminedCommand): string | null {
  if (effect === "forbidden") return `is dangerous (${reason})`;
  if (protectedTarget !== null) return `reaches for ${protectedTarget.text}, which only the user changes`;
  return secret === null ? null : `would show ${secret}, which may hold secrets`;
}
