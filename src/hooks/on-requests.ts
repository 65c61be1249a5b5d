import { GAIA } from "../agents/gaia.ts";
import { HELD } from "../conversation/report/verdict.ts";
import { defineHook, Denial, type HookDefinition } from "../host/hook-events.ts";
import type { Runtime } from "../runtime.ts";

/** What happens to the requests of our agents: how they begin, whether they are sent, and what a compaction must not lose. */
export function listOnRequests(runtime: Runtime): HookDefinition[] {
  const { sessions, conversations, bounds, ledger, agents } = runtime;
  const promptOf = (agent: string): string =>
    runtime.registered().agents.find(({ name }) => name === agent)?.prompt ?? "";

  /**
   * Says a specialist's role at the end of its system prompt: behind what the host adds, specialists with the same tools send
   * the same bytes up to their role, so one's cached beginning serves the others.
   */
  const sharedBeginning = defineHook({
    id: "shared-beginning",
    event: "before-request",
    why: "before project-context, which adds to the end",
    run({ parts, moveToEnd }) {
      const [first = ""] = parts;
      const role = [...agents.specialists.keys()]
        .map(promptOf)
        .filter((each) => first.startsWith(each))
        .reduce((longest, each) => (each.length > longest.length ? each : longest), "");
      if (role !== "") moveToEnd(role);
    },
  });
  // The host does not say for which agent a request is, a title among them: GAIA's are known by its prompt.
  const projectContext = defineHook({
    id: "project-context",
    event: "before-request",
    why: "after shared-beginning, which moves what is there",
    async run({ sessionId, parts, add }) {
      if (sessionId === null || sessions.speaker(sessionId)?.agent !== GAIA) return;
      if (!parts.some((part) => part.startsWith(promptOf(GAIA)))) return;
      const found = await conversations.of(sessionId);
      const text = (await found?.conversation.parts.bearings.projectContext()) ?? "";
      if (text !== "") add(text);
    },
  });
  const holdRequests = defineHook({
    id: "hold-requests",
    event: "request-parameters",
    why: "first at this event: a request that is held needs no parameters",
    onFailure: "closed",
    async run({ sessionId, isSide }) {
      // Another OpenCode may have spent something meanwhile.
      if (ledger.isBound && sessions.peek(sessionId)) await ledger.refresh();
      const why = bounds.request(sessionId, isSide);
      if (why !== null) throw new Denial(`${HELD}${why}.`);
    },
  });
  // Per request, because a fallback may run another model than the one that was configured.
  const modelParameters = defineHook({
    id: "model-parameters",
    event: "request-parameters",
    why: "after hold-requests, which may deny the request",
    run(request) {
      const tuning = agents.tuning[request.agent];
      if (tuning === undefined) return;
      if (tuning.maxTokens !== undefined) request.limitOutput(tuning.maxTokens);
      request.reason({ effort: tuning.reasoningEffort, budget: tuning.thinkingBudget });
    },
  });
  const compaction = defineHook({
    id: "compaction",
    event: "compaction",
    async run({ sessionId, add }) {
      const found = await conversations.of(sessionId);
      if (found === null || found.session.specialist !== null) return;
      const resume = await found.conversation.parts.bearings.forCompaction();
      if (resume !== "") add(resume);
    },
  });
  // The open tasks stand where the next request is sure to find them.
  const compactionSummary = defineHook({
    id: "compaction-summary",
    event: "answer-text",
    run({ sessionId, text, replace }) {
      const summary = conversations.peek(sessionId)?.parts.bearings.underSummary(text);
      if (summary !== undefined && summary !== text) replace(summary);
    },
  });
  return [sharedBeginning, projectContext, holdRequests, modelParameters, compaction, compactionSummary];
}
