import type { HostEvent } from "../host/port.ts";
import type { ExamineCall } from "../policy/policy.ts";
import type { SandboxConfig } from "../config/sandbox.ts";
import type { Containment } from "../sandbox/containment.ts";
import { type ContainedCalls, createContainedCalls } from "./tool-calls/contained-calls.ts";
import { createDialogs, type Dialogs } from "./approvals/dialogs.ts";
import type { Conversation } from "./conversation.ts";
import type { Conversations } from "./conversations.ts";
import { renderStatus, readStatus } from "./display/status.ts";
import type { ConversationServices } from "./services.ts";
import { createToolCalls, type ToolCalls } from "./tool-calls/tool-calls.ts";

/** Watches over the GAIA conversations of one instance (SPEC 8, 9). */
export type Supervision = ReturnType<typeof createSupervision>;

export interface SupervisionInput extends ConversationServices {
  readonly conversations: Conversations;
  readonly examine: ExamineCall;
  readonly sandbox: SandboxConfig;
  /** Loaded at the first command. */
  containment(): Promise<Containment>;
  isOurs(agent: string): boolean;
  /** Agents that change nothing, the orchestrator and the checkers among them. */
  readonly readers: readonly string[];
}

export function createSupervision(input: SupervisionInput) {
  const { host, engine } = input;
  const call = (callId: string) => calls.get(callId);
  const dialogs: Dialogs = createDialogs({ ...input, call });
  const contained: ContainedCalls = createContainedCalls({ ...input, call, allowedBy: dialogs.allowedBy });
  const calls: ToolCalls = createToolCalls({
    ...input,
    decideSandbox: contained.decide,
    allowedBy: dialogs.allowedBy,
    place: host,
    note: engine.note,
    isOneShot: host.oneShot !== null,
    deniedBy: dialogs.deniedBy,
  });

  return {
    calls,
    dialogs,
    contained,
    observe(event: HostEvent): void {
      if (event.type === "permission.asked" || event.type === "permission.replied") dialogs.observe(event);
      if (event.type === "session.deleted") {
        calls.forget(event.sessionId);
        dialogs.forget(event.sessionId);
      }
      if (event.type === "session.status" && event.status === "idle") calls.settle(event.sessionId);
      if (event.type === "tool.activity") calls.observe(event);
    },
    statusOf: async (conversation: Conversation): Promise<string> =>
      renderStatus(await readStatus(conversation, input)),
  };
}
