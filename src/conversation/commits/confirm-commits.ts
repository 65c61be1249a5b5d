import { Denial } from "../../host/hook.ts";
import type { ShellEnvironment } from "../../host/hook-events.ts";
import { isRecording } from "../collaboration/decide-call.ts";
import type { Conversations } from "../conversations.ts";
import type { RunningCall } from "../tool-calls/tool-fact.ts";

/** What the last look before a command needs. */
export interface ConfirmCommitsInput {
  readonly conversations: Conversations;
  call(callId: string): RunningCall | undefined;
  /** Who said yes to the command in a dialog; null where none was raised. */
  allowedBy(callId: string): Promise<"human" | "plugin" | null>;
  isOurs(agent: string): boolean;
}

/** The last look before a shell starts: a dialog may have stood open for hours. @throws Denial when nothing may start */
export type ConfirmCommits = (shell: Pick<ShellEnvironment, "sessionId" | "callId">) => Promise<void>;

export function createConfirmCommits(input: ConfirmCommitsInput): ConfirmCommits {
  return async ({ sessionId, callId }) => {
    const call = callId === null ? undefined : input.call(callId);
    const found = call === undefined ? null : await input.conversations.of(sessionId);
    if (call === undefined || found === null) return;
    const { conversation } = found;
    const { commits } = conversation.parts;
    if (isRecording(call)) {
      const refusal = await commits.refuseCall(call, call.callId);
      if (refusal !== null) throw new Denial(refusal);
      const needsUser = conversation.state.knobs.mode !== "autopilot" && input.isOurs(call.agent);
      const isAsked = needsUser && (await input.allowedBy(call.callId)) === "human";
      if (needsUser && !isAsked && !(await commits.isApproved())) throw new Denial(UNASKED);
    }
    await commits.begins(call.callId, call);
  };
}

/** For the model, where the user has a say and was not asked. */
export const UNASKED =
  "Refused: nothing is committed in supervised mode without the user's word, and nobody was asked. plan_gaia request_approval with kind: revision asks.";
