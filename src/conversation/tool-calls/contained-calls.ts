import { Denial, type ShellEnvironment } from "../../host/hook-events.ts";
import type { ToolOutcome } from "../../host/tool-call.ts";
import { describeError } from "../../lib/error.ts";
import { decideSandbox, type SandboxDecision } from "../../sandbox/decide.ts";
import { explainFailure } from "../../sandbox/explain-failure.ts";
import type { Containment } from "../../sandbox/containment.ts";
import { type ExaminedCall, isCovered } from "../collaboration/decide-call.ts";
import type { Dialogs } from "../approvals/dialogs.ts";
import type { Found } from "../conversations.ts";
import type { SupervisionInput } from "../supervision.ts";
import type { RunningCall } from "./tool-fact.ts";

type ContainedCallsInput = Pick<
  SupervisionInput,
  "host" | "sandbox" | "defaults" | "conversations" | "containment" | "knowledge"
> & {
  call(callId: string): RunningCall | undefined;
  allowedBy: Dialogs["allowedBy"];
};

const NOT_ASKED =
  "Refused: a person has to approve this command, and none was asked. Call a program by its name, or tell the user what to run.";

export type ContainedCalls = ReturnType<typeof createContainedCalls>;

/** The commands of GAIA's sessions in their sandbox (SPEC 9). */
export function createContainedCalls(input: ContainedCallsInput) {
  const { host, sandbox, conversations } = input;
  let loaded: Containment | null = null;
  let isTold = false;

  const tell = (what: string): void => {
    if (isTold) return;
    isTold = true;
    host.logger.log("warn", "containment", what);
    void host.toast("warning", `${what}. Commands are asked about. See opencode-gaia doctor.`);
  };

  const isAvailable = async (): Promise<boolean> => {
    if (sandbox.mode === "off" || sandbox.mode === "machine") return false;
    const state = await (loaded ??= await input.containment()).ready();
    if (state.kind === "unavailable") tell(`No sandbox on this machine: ${state.why}`);
    return state.kind !== "unavailable";
  };

  const decide = async (
    { role, examination }: ExaminedCall,
    { conversation, session }: Found,
    sessionId: string,
    isApproved: boolean,
  ): Promise<SandboxDecision> => {
    const { state } = conversation;
    const place = conversation.parts.delegations.placeOf(sessionId, session);
    const isThere = await isAvailable();
    const { escapes } = examination;
    if (isThere && escapes) tell("No sandbox holds OpenCode's language servers (lsp)");
    return decideSandbox({
      mode: sandbox.mode,
      network: sandbox.network,
      isAvailable: isThere,
      role,
      isLocked: state.knobs.mode === "locked",
      escapes,
      isCovered: isCovered(state, { ...place, enforceWaveId: input.defaults.wavePolicy.enforceWaveId }),
      reads: examination.effect === "read" && (isThere || !examination.hasPattern),
      isAllowed: examination.isAllowed,
      isApproved,
      deletes: examination.deletes !== null,
      asks: examination.asks,
    });
  };

  const contain = async ({ sessionId, folder, set }: ShellEnvironment, callId: string): Promise<boolean> => {
    const found = await conversations.of(sessionId);
    if (found === null) return false;
    const call = input.call(callId);
    // The gate before the call has not seen it.
    if (call === undefined) throw new Denial(NOT_ASKED);
    const unasked = await decide(call, found, sessionId, false);
    // A yes for good to an editor's command takes nobody else's out of the sandbox.
    const isApproved = unasked.kind === "ask" && (await input.allowedBy(callId)) === "human";
    const decision = isApproved ? await decide(call, found, sessionId, true) : unasked;
    if (decision.kind !== "run") throw new Denial(NOT_ASKED);
    const { profile } = decision;
    if (profile === null) return call.examination.effect === "read";
    try {
      const workplace = found.conversation.parts.worktrees.of(sessionId);
      const containment = await (workplace ?? input).containment();
      const state = await containment.ready();
      if (state.kind === "unavailable") throw new Error(state.why);
      const variables = await containment.wrap({ callId, folder, profile });
      call.contained = { containment, mayAsk: found.conversation.state.knobs.mode !== "locked" };
      for (const [name, value] of Object.entries(variables)) set(name, value);
    } catch (error) {
      throw new Denial(
        `Refused: the sandbox could not be made (${describeError(error)}), so the command did not run. Tell the user.`,
      );
    }
    return true;
  };

  return {
    decide: async (call: ExaminedCall, found: Found, sessionId: string): Promise<SandboxDecision> =>
      decide(call, found, sessionId, false),
    /** Hands the command of a shell that is about to start over to the sandbox. @throws Denial when it must not run */
    async wrap(shell: ShellEnvironment): Promise<void> {
      // A command without a call is one that the user typed.
      if (shell.callId !== null && !(await contain(shell, shell.callId))) input.knowledge.doubt();
    },
    /** What has to be said of a command that is over, for the end of its output. */
    finish(callId: string, { text, exitCode }: ToolOutcome): string[] {
      const call = input.call(callId)?.contained;
      const finished = call?.containment.finish(callId) ?? null;
      if (call === undefined || finished === null) return [];
      const { isProven, setAside } = finished;
      if (!isProven) {
        input.knowledge.doubt(true);
        tell("No sandbox on this machine: a shell did not take part");
        return [
          "[GAIA: this command was to run in the sandbox, and its shell did not take part. Stop and tell the user.]",
        ];
      }
      const taken = setAside.map(
        ({ path, to }) =>
          `[GAIA: only the user makes ${path}; what this command made there was set aside as ${to}.]`,
      );
      const why =
        exitCode === 0 || exitCode === null
          ? null
          : explainFailure(text ?? "", finished.profile, call.mayAsk);
      return why === null ? taken : [...taken, why];
    },
  };
}
