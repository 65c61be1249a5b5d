import { describeError } from "../../lib/error.ts";
import { refuse } from "../../lib/refusal.ts";
import { createRemembering, type Remembering } from "../../memory/notes/remembering.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import { propose } from "../record/harvest.ts";
import type { ConversationServices } from "../services.ts";

/** What a conversation remembers for itself (`capture.remember`). */
export interface Memories extends Part {
  /** Null where nothing is to be remembered. */
  open(): Promise<Remembering | null>;
}

export function createMemories(
  conversation: Pick<ConversationCore, "rootId" | "state" | "tasks">,
  {
    workspace,
    knowledge,
    host,
    clock,
    capture,
    redact,
    orchestrator,
  }: Pick<
    ConversationServices,
    "workspace" | "knowledge" | "host" | "clock" | "capture" | "redact" | "orchestrator"
  >,
): Memories {
  if (!capture.enabled || !capture.remember) return { open: async () => null };
  let opened: Remembering | null = null;
  let hearing: Promise<void> = Promise.resolve();

  const load = (): Remembering =>
    (opened ??= createRemembering({
      root: conversation.rootId,
      now: clock.now,
      limits: capture,
      redact,
      unit: () => conversation.state.workUnit,
      isLocked: () => conversation.state.knobs.mode === "locked",
      readNotes: workspace.unitNotes,
      changeNotes: workspace.changeUnitNotes,
      propose: async (line) =>
        capture.proposals
          ? propose(workspace, [line])
          : refuse("Learnings are not proposed here (capture.proposals)."),
      proposeKnown: async (body, by) =>
        knowledge
          .propose({ body, by, reason: "Noted in a conversation, to be known from now on." })
          .catch((error: unknown) => refuse(describeError(error))),
    }));
  const hear = (job: () => Promise<void>): void => {
    hearing = hearing.then(job).catch((error: unknown) => {
      host.logger.log("debug", "memories", describeError(error));
    });
  };
  return {
    async open() {
      await hearing;
      return load();
    },
    heard(event) {
      if (event.type === "turn-ended" && capture.autoPromote && opened !== null) {
        const { promote } = opened;
        hear(promote);
      }
      if (event.type !== "tool-finished" || event.fact.command === undefined) return;
      const { sessionId, command: ran } = event.fact;
      const { command, exitCode, output } = ran;
      if (exitCode === null) return;
      const by = conversation.tasks().find((task) => task.sessionId === sessionId)?.agent ?? orchestrator;
      hear(async () => load().ran({ command, exitCode, output, by }));
    },
  };
}
