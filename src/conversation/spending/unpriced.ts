import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";

/**
 * Tells the user once of each model whose answers cost nothing by OpenCode's figures, where a budget in money is to bound them:
 * free, by subscription, or because OpenCode's data have no price.
 */
export function createUnpriced(
  { tasks, speaker, outbox }: Pick<ConversationCore, "tasks" | "speaker" | "outbox">,
  { host, ledger }: Pick<ConversationServices, "host" | "ledger">,
): Part {
  const told = new Set<string>();
  return {
    observe(event, isRoot) {
      if (event.type !== "message.finished" || ledger.inMoney.length === 0) return;
      const { sessionId, tokens, cost } = event;
      if (cost > 0 || tokens.input + tokens.output === 0) return;
      const task = isRoot ? undefined : tasks().find((each) => each.sessionId === sessionId);
      const model = (isRoot ? speaker()?.model : task?.model) ?? null;
      if (model === null || told.has(model)) return;
      told.add(model);
      const holds = ledger.inMoney.length === 1 ? "does" : "do";
      const line = `OpenCode has no price for ${model}: it counts as free, and ${ledger.inMoney.join(", ")} ${holds} not bound it. A budget in tokens does.`;
      outbox.note(line);
      void host.toast("warning", line);
    },
  };
}
