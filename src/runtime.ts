import type { Agents } from "./agents/build.ts";
import type { CodeCalls } from "./code/open.ts";
import type { ConfigProblem } from "./config/problem.ts";
import type { ResolvedConfig } from "./config/schema.ts";
import type { Rules } from "./context/rules/open.ts";
import type { Skills } from "./context/skills/open.ts";
import type { Knowledge } from "./knowledge/open.ts";
import type { Memory } from "./memory/memory.ts";
import type { ExperimentalHooks } from "./conversation/bearings/experimental.ts";
import type { Conversations } from "./conversation/conversations.ts";
import type { OpenWorkplace } from "./conversation/worktrees/workplace.ts";
import type { Supervision } from "./conversation/supervision.ts";
import type { Bounds } from "./delegation/bounds/bounds.ts";
import type { DelegationEngine } from "./delegation/engine.ts";
import type { GaiaSessions } from "./delegation/gaia-sessions.ts";
import type { Ledger } from "./spending/ledger.ts";
import type { ReviewerBriefs } from "./review/reviewer-briefs.ts";
import type { Verifier } from "./checks/verifier.ts";
import type { ProjectTrust } from "./project/trust.ts";
import type { Anchors } from "./editing/anchors/anchors.ts";
import type { PreparedCalls } from "./editing/prepared-calls.ts";
import type { Host } from "./host/port.ts";
import type { Clock } from "./lib/clock.ts";
import type { SkillServers } from "./skill-servers/open.ts";
import type { Vcs } from "./vcs/port.ts";
import type { Workspace } from "./workspace/workspace.ts";

/** What tools, hooks and commands work with; made once per OpenCode instance by `src/plugin.ts`. */
export interface Runtime {
  readonly host: Host;
  readonly clock: Clock;
  readonly config: ResolvedConfig;
  /** What was ignored of the configuration and of the project's own specialists. */
  readonly problems: readonly ConfigProblem[];
  readonly agents: Agents;
  readonly engine: DelegationEngine;
  readonly bounds: Bounds;
  readonly ledger: Ledger;
  readonly sessions: GaiaSessions;
  readonly conversations: Conversations;
  readonly supervision: Supervision;
  readonly workspace: Workspace;
  readonly verifier: Verifier;
  readonly trust: ProjectTrust;
  readonly reviewerBriefs: ReviewerBriefs;
  readonly memory: Memory;
  readonly knowledge: Knowledge;
  readonly rules: Rules;
  readonly skills: Skills;
  readonly skillServers: SkillServers;
  readonly experimental: ExperimentalHooks;
  readonly vcs: Vcs;
  /** Judges calls in a worktree as those in the project; for those that are thrown away. */
  readonly openWorkplace: OpenWorkplace;
  /** Calls of the tools for files that are about to be made. */
  readonly prepared: PreparedCalls;
  /** Loaded when somebody edits by anchors. */
  anchors(this: void): Promise<Anchors>;
  readonly code: CodeCalls;
}
