import { createAnchors } from "../extras/anchored-edits/anchors.ts";
import { createCodeCalls } from "../extras/language-servers/calls.ts";
import type { Conversations } from "../conversation/conversations.ts";
import type { Runtime, Start } from "../runtime.ts";
import { composeConversations } from "./conversations.ts";
import { composeDelegation } from "./delegation.ts";
import { layGround } from "./ground.ts";
import { composeJudgement } from "./judgement.ts";
import { composeRecord } from "./record.ts";
import { composeTrees } from "./trees.ts";

export function composeRuntime(start: Start): { runtime: Runtime; dispose: () => Promise<void> } {
  const ground = layGround(start);
  const { host, config, vcs, redact } = ground;
  const record = composeRecord(ground);
  const judgement = composeJudgement(ground, record.knowledge.doubt);
  const { contained } = judgement;
  const delegation = composeDelegation(ground, (rootId) => conversations.peek(rootId));
  const trees = composeTrees(ground, judgement, record);
  const talk = composeConversations(ground, { ...delegation, ...record }, trees, judgement);
  const conversations: Conversations = talk.conversations;
  const { allowSensitive } = config.policy;
  const runtime: Runtime = {
    ...ground,
    ...delegation,
    ...record,
    conversations,
    supervision: talk.supervision,
    extrasOf: talk.extrasOf,
    treeOf: trees.treeOf,
    verifier: trees.own.verifier,
    reviewerBriefs: trees.own.reviewerBriefs,
    openWorkplace: judgement.openWorkplace,
    anchors: createAnchors({ redact, allowSensitive }),
    contained,
    code: createCodeCalls({ host, vcs, contained, since: ground.began.day, limits: judgement.limits }),
  };
  return {
    runtime,
    async dispose() {
      // First, so that what ends now wakes nobody.
      await conversations.dispose();
      delegation.engine.dispose();
      await Promise.all([runtime.code.dispose(), runtime.skillServers.dispose()]);
      judgement.containment.dispose();
      trees.dispose();
      contained.dispose();
      await talk.settled();
      await delegation.ledger.settled();
    },
  };
}
