import type { Agents } from "./agents/build.ts";
import type { Findings } from "./extras/findings/findings.ts";
import type { Messages } from "./extras/messages/messages.ts";
import type { PullRequests } from "./extras/pull-requests/pull-request.ts";
import type { CodeCalls } from "./extras/language-servers/calls.ts";
import type { ConfigProblem } from "./config/problem.ts";
import type { LoadedConfig } from "./config/resolve.ts";
import type { SandboxConfig } from "./config/sandbox.ts";
import type { ResolvedConfig } from "./config/schema.ts";
import type { Rules, Skills } from "./context/open.ts";
import type { Knowledge } from "./record/knowledge.ts";
import type { Memory } from "./record/memory.ts";
import type { ConversationCore } from "./conversation/core.ts";
import type { Conversations } from "./conversation/conversations.ts";
import type { WorkTree } from "./work-tree/work-tree.ts";
import type { OpenWorkplace } from "./work-tree/workplace.ts";
import type { Supervision } from "./conversation/supervision.ts";
import type { Bounds } from "./delegation/bounds.ts";
import type { DelegationEngine } from "./delegation/engine.ts";
import type { GaiaSessions } from "./delegation/gaia-sessions.ts";
import type { SpendingLedger } from "./spending/ledger.ts";
import type { ReviewerBriefs } from "./plan/review/brief.ts";
import type { Verifier } from "./checks/verifier.ts";
import type { ProjectPlace, ProjectTrust } from "./project/trust.ts";
import type { Anchors } from "./extras/anchored-edits/anchors.ts";
import type { Registered } from "./host/hook-events.ts";
import type { Host } from "./host/port.ts";
import type { Clock } from "./lib/async.ts";
import type { Redactor } from "./lib/redaction.ts";
import type { Seal } from "./lib/seal.ts";
import type { ContainedPrograms } from "./sandbox/load.ts";
import type { SkillServers } from "./extras/skill-servers/servers.ts";
import type { Vcs } from "./snapshot/vcs.ts";
import type { Workspace } from "./record/workspace.ts";

/** What every start makes: the configuration as far as the user trusts it, the agents, and whose sessions are GAIA's. Once per OpenCode instance. */
export interface Start {
  readonly host: Host;
  readonly clock: Clock;
  readonly place: ProjectPlace;
  /** When OpenCode came to this project: by `clock`, and in milliseconds since 1970. */
  readonly began: { readonly at: number; readonly day: number };
  readonly config: ResolvedConfig;
  readonly loaded: LoadedConfig;
  /** What was ignored of the configuration and of the project's own specialists. */
  readonly problems: readonly ConfigProblem[];
  readonly trust: ProjectTrust;
  readonly agents: Agents;
  readonly sessions: GaiaSessions;
  /** What the host's merged configuration says of what was registered; empty before it was read. */
  registered(this: void): Registered;
  noteRegistered(this: void, found: Registered): void;
}

/** What GAIA's features stand on. */
export interface Ground extends Start {
  readonly sandbox: SandboxConfig;
  readonly vcs: Vcs;
  readonly redact: Redactor;
  readonly seal: Seal;
  /** Whether no model may see the content of a file, by its path relative to the project (SPEC 9). */
  isSensitive(this: void, path: string): boolean;
}

/** The extras that commands and tools ask something of in a conversation. */
export interface Extras {
  readonly findings: Findings;
  readonly messages: Messages;
  readonly pullRequests: PullRequests;
}

/** GAIA's features: what tools, hooks and commands work with. Opened when someone first talks to it. */
export interface Runtime extends Ground {
  readonly engine: DelegationEngine;
  readonly bounds: Bounds;
  readonly ledger: SpendingLedger;
  readonly conversations: Conversations;
  readonly supervision: Supervision;
  extrasOf(this: void, conversation: ConversationCore): Extras;
  readonly workspace: Workspace;
  /** Where the work of a unit stands; what has to do with none looks at the project's own tree by what stands beside this. */
  treeOf(this: void, unit: string | null): WorkTree;
  readonly verifier: Verifier;
  readonly reviewerBriefs: ReviewerBriefs;
  readonly memory: Memory;
  readonly knowledge: Knowledge;
  readonly rules: Rules;
  readonly skills: Skills;
  readonly skillServers: SkillServers;
  /** Judges calls in a worktree as those in the project; for those that are thrown away. */
  readonly openWorkplace: OpenWorkplace;
  readonly anchors: Anchors;
  readonly code: CodeCalls;
  /** What contains the programs that the plugin starts itself. */
  readonly contained: ContainedPrograms;
}
