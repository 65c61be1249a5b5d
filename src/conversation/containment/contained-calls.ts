import type { SandboxConfig } from "../../config/sandbox.ts";
import { Denial } from "../../host/hook.ts";
import type { ShellEnvironment } from "../../host/hook-events.ts";
import type { Host } from "../../host/port.ts";
import type { ToolOutcome } from "../../host/tool-call.ts";
import type { Knowledge } from "../../knowledge/open.ts";
import { describeError } from "../../lib/error.ts";
import { decideContainment } from "../../sandbox/decide.ts";
import { explainFailure } from "../../sandbox/explain-failure.ts";
import type { Containment } from "../../sandbox/port.ts";
import type { ContainmentProfile } from "../../sandbox/profile.ts";
import { type ExaminedCall, isChange, isCovered } from "../collaboration/decide-call.ts";
import type { Conversations, Found } from "../conversations.ts";
import type { RunningCall } from "../tool-calls/tool-fact.ts";

/** The commands of GAIA's sessions in their containment (SPEC 9). */
export interface ContainedCalls {
  /** Why a command must not run: all are to be contained, and nothing can be. Null when it may. */
  refuse(call: ExaminedCall): Promise<string | null>;
  /** Whether a command will run contained where nobody is asked for it; tries it out first. */
  isContained(call: ExaminedCall): Promise<boolean>;
  /** Hands the command of a shell that is about to start over to the containment. @throws Denial when it must not run */
  wrap(shell: ShellEnvironment): Promise<void>;
  /** What has to be said of a command that is over, for the end of its output. */
  finish(callId: string, outcome: ToolOutcome): string[];
}

export interface ContainedCallsInput {
  readonly host: Host;
  readonly sandbox: SandboxConfig;
  readonly enforceWaveId: boolean;
  readonly conversations: Conversations;
  /** Loaded at the first command. */
  containment(): Promise<Containment>;
  /** Agents that change nothing. */
  readonly readers: readonly string[];
  isOurs(agent: string): boolean;
  call(callId: string): RunningCall | undefined;
  /** Who said yes to the command in a dialog; null where none was raised. */
  allowedBy(callId: string): Promise<"human" | "plugin" | null>;
  readonly knowledge: Pick<Knowledge, "doubt">;
}

export function createContainedCalls(input: ContainedCallsInput): ContainedCalls {
  const { host, sandbox, conversations } = input;
  const agents = new Map<string, { readonly call: RunningCall; readonly mayAsk: boolean }>();
  const wrapped = new Map<string, Containment>();
  let loaded: Containment | null = null;
  let isTold = false;

  const load = async (): Promise<Containment> => (loaded ??= await input.containment());

  const tell = (why: string): void => {
    if (isTold) return;
    isTold = true;
    host.logger.log("warn", "containment", `Commands are not contained: ${why}`);
    void host.toast(
      "warning",
      `Commands are not contained on this machine: ${why}. See opencode-gaia doctor.`,
    );
  };

  const whyNot = async (): Promise<string | null> => {
    const state = await (await load()).ready();
    return state.kind === "unavailable" ? state.why : null;
  };

  const profileOf = async (
    call: RunningCall,
    { conversation, session }: Found,
  ): Promise<{ profile: ContainmentProfile | null; needsIt: boolean }> => {
    const { state } = conversation;
    const place = conversation.parts.delegations.placeOf(call.sessionId, session);
    const isOurs = input.isOurs(call.agent);
    const isLocked = state.knobs.mode === "locked";
    if (!isOurs && !isLocked && sandbox.mode !== "on") return { profile: null, needsIt: false };
    const allowedBy = await input.allowedBy(call.callId);
    const isCheck = call.mayCheck === true && call.examination.isCheck;
    const profile = decideContainment({
      sandbox: sandbox.mode,
      network: sandbox.network,
      isLocked,
      isCovered: isCheck || isCovered(state, { ...place, enforceWaveId: input.enforceWaveId }),
      onlyReads: input.readers.includes(call.agent) || !isChange(call),
      isCheck,
      isApproved: allowedBy === "human" || call.examination.isAllowed,
      asks: call.asks ?? null,
    });
    // The plugin answered for the user because it would be contained.
    const reliesOnIt = allowedBy === "plugin" && call.examination.effect === "unknown";
    return { profile, needsIt: sandbox.mode === "on" || reliesOnIt };
  };

  /** @returns whether nothing of the command is left when its call is over */
  const contain = async ({ sessionId, folder, set }: ShellEnvironment, callId: string): Promise<boolean> => {
    const call = input.call(callId);
    if (call === undefined) return false;
    const onlyReads = call.examination.effect === "read";
    const found = sandbox.mode === "off" ? null : await conversations.of(sessionId);
    if (found === null) return onlyReads;
    const { profile, needsIt } = await profileOf(call, found);
    if (profile === null) return onlyReads;
    const why = await whyNot();
    if (why !== null) {
      tell(why);
      if (needsIt) throw new Denial(refusal(why));
      return onlyReads;
    }
    try {
      const workplace = found.conversation.parts.worktrees.of(sessionId);
      const containment = workplace === null ? await load() : await workplace.containment();
      const variables = await containment.wrap({ callId, folder, profile });
      wrapped.set(callId, containment);
      for (const [name, value] of Object.entries(variables)) set(name, value);
    } catch (error) {
      throw new Denial(refusal(describeError(error)));
    }
    const mayAsk = !input.readers.includes(call.agent) && found.conversation.state.knobs.mode !== "locked";
    agents.set(callId, { call, mayAsk });
    return true;
  };

  return {
    async refuse(call) {
      if (sandbox.mode !== "on") return null;
      if (call.asks === "off") {
        return `Refused ${call.tool}: every command runs contained (sandbox: on). GAIA_SANDBOX=network can be asked for.`;
      }
      const why = await whyNot();
      return why === null
        ? null
        : `Refused ${call.tool}: every command is to be contained (sandbox: on), and none can be: ${why}. Tell the user.`;
    },
    async isContained({ agent }) {
      if (sandbox.mode === "off" || !input.isOurs(agent)) return false;
      const why = await whyNot();
      if (why !== null) tell(why);
      return why === null;
    },
    async wrap(shell) {
      // A command without a call is one that the user typed.
      if (shell.callId === null || (await contain(shell, shell.callId))) return;
      const marks = Object.entries(input.knowledge.doubt());
      // That of an agent which is not GAIA's stays as it is.
      if (input.call(shell.callId) !== undefined) for (const [name, value] of marks) shell.set(name, value);
    },
    finish(callId, { text, exitCode }) {
      const finished = wrapped.get(callId)?.finish(callId) ?? null;
      wrapped.delete(callId);
      const mayAsk = agents.get(callId)?.mayAsk === true;
      agents.delete(callId);
      if (finished === null) return [];
      const { profile, isProven, setAside } = finished;
      if (!isProven) {
        input.knowledge.doubt();
        tell("a shell did not take part");
        return [
          "[GAIA: this command was to run contained, and its shell did not take part. Stop and tell the user.]",
        ];
      }
      const taken = setAside.map(
        ({ path, to }) =>
          `[GAIA: only the user makes ${path}; what this command made there was set aside as ${to}.]`,
      );
      const why = exitCode === 0 || exitCode === null ? null : explainFailure(text ?? "", profile, mayAsk);
      return why === null ? taken : [...taken, why];
    },
  };
}

function refusal(why: string): string {
  return `Refused: the command could not be contained (${why}), so it did not run. Tell the user.`;
}
