import { GAIA } from "../agents/gaia.ts";
import { HELD } from "../conversation/turns/end-report.ts";
import { defineHook, Denial, type HookDefinition } from "../host/hook-events.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Says a specialist's role at the end of its system prompt. The host begins with it; behind what the host adds, which is the
 * same for all, specialists with the same tools send the same bytes up to their role, and what the provider has cached of
 * one serves the others. Known by the text alone, so that every request of a session is put together alike.
 * @param roles the specialists' prompts as the host has them, the user's own changes included
 */
export function createSharedBeginningHook(roles: () => readonly string[]): HookDefinition {
  return defineHook({
    id: "shared-beginning",
    event: "before-request",
    why: "before project-context, which adds to the end",
    onFailure: "open",
    run({ parts, moveToEnd }) {
      const [first = ""] = parts;
      const role = roles()
        .filter((each) => first.startsWith(each))
        .reduce((longest, each) => (each.length > longest.length ? each : longest), "");
      if (role !== "") moveToEnd(role);
    },
  });
}

/**
 * Adds the project's context to GAIA's system prompt. The host calls this for every request of the session, its title
 * request too, and does not say for which agent: hers are known by her prompt.
 * @param prompt GAIA's prompt as the host has it, the user's own changes included
 */
export function createProjectContextHook(
  { experimental, sessions, conversations }: Runtime,
  prompt: () => string,
): HookDefinition {
  return defineHook({
    id: "project-context",
    event: "before-request",
    why: "after shared-beginning, which moves what is there",
    onFailure: "open",
    async run({ sessionId, parts, add }) {
      experimental.called("systemContext");
      if (sessionId === null || sessions.speaker(sessionId)?.agent !== GAIA) return;
      if (!parts.some((part) => part.startsWith(prompt()))) return;
      const found = await conversations.of(sessionId);
      const text = (await found?.conversation.parts.bearings.projectContext()) ?? "";
      if (text !== "") add(text);
    },
  });
}

/**
 * Counts every request of our agents, and holds those past their bound (SPEC 2.5): what is denied here is not sent, and the
 * loop ends with these words.
 */
export function createHoldRequestsHook({ bounds, ledger, sessions }: Runtime): HookDefinition {
  return defineHook({
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
}

/**
 * Sets what only some models understand: reasoning effort, thinking budget, and the bound on output. Done per request,
 * because a fallback may run another model than the one that was configured.
 */
export function createModelParametersHook({ agents }: Runtime): HookDefinition {
  return defineHook({
    id: "model-parameters",
    event: "request-parameters",
    why: "after hold-requests, which may deny the request",
    onFailure: "open",
    run(request) {
      const tuning = agents.tuning[request.agent];
      if (tuning === undefined) return;
      if (tuning.maxTokens !== undefined) request.limitOutput(tuning.maxTokens);
      request.reason({ effort: tuning.reasoningEffort, budget: tuning.thinkingBudget });
    },
  });
}

/** Keeps GAIA's bearings, and the rules and skills that a specialist was given, through a compaction; ends an answered child instead. */
export function createCompactionHook({ engine, experimental, conversations }: Runtime): HookDefinition {
  return defineHook({
    id: "compaction",
    event: "compaction",
    why: "the only hook at this event",
    onFailure: "open",
    async run({ sessionId, add }) {
      experimental.called("compaction");
      if (await engine.endAnswered(sessionId)) return;
      const found = await conversations.of(sessionId);
      if (found === null) return;
      if (found.session.specialist !== null) {
        found.conversation.parts.handouts.compacting(sessionId);
        return;
      }
      const resume = await found.conversation.parts.bearings.forCompaction();
      if (resume !== "") add(resume);
    },
  });
}

/** Writes the open tasks, or a specialist's rules and skills, under a summary, where the next request is sure to find them. */
export function createCompactionSummaryHook({
  experimental,
  conversations,
  sessions,
}: Runtime): HookDefinition {
  return defineHook({
    id: "compaction-summary",
    event: "answer-text",
    why: "the only hook at this event",
    onFailure: "open",
    async run({ sessionId, text, replace }) {
      experimental.called("compactionSummary");
      const rootId = sessions.peek(sessionId)?.rootId ?? sessionId;
      const parts = conversations.peek(rootId)?.parts;
      if (parts === undefined) return;
      const summary =
        rootId === sessionId
          ? (parts.bearings.underSummary(text) ?? text)
          : await parts.handouts.underSummary(sessionId, text);
      if (summary !== text) replace(summary);
    },
  });
}
