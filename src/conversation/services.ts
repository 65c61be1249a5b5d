import type { LanesConfig } from "../config/lanes.ts";
import type { ResolvedConfig } from "../config/schema.ts";
import type { ProjectTexts } from "../context/project-context.ts";
import type { Rules, Skills } from "../context/open.ts";
import type { Knowledge } from "../record/knowledge.ts";
import type { Memory } from "../record/memory.ts";
import type { Role } from "../config/roles.ts";
import type { Bounds } from "../delegation/bounds.ts";
import type { DelegationEngine } from "../delegation/engine.ts";
import type { Specialist } from "../delegation/specialist.ts";
import type { GaiaSessions } from "../delegation/gaia-sessions.ts";
import type { SpendingLedger } from "../spending/ledger.ts";
import type { Host } from "../host/port.ts";
import type { Clock } from "../lib/async.ts";
import type { Redactor } from "../lib/redaction.ts";
import type { Seal } from "../lib/seal.ts";
import type { SkillServers } from "../extras/skill-servers/servers.ts";
import type { Workspace } from "../record/workspace.ts";
import type { CollaborationDefaults } from "./collaboration/knobs.ts";
import type { WorkStore } from "../work-tree/work-store.ts";
import type { WorkTree } from "../work-tree/work-tree.ts";
import type { OpenWorkplace } from "../work-tree/workplace.ts";

/** What the conversations of one OpenCode instance share; the tree is the project's own, until a conversation follows its unit's. */
export interface ConversationServices extends WorkTree {
  readonly host: Host;
  readonly clock: Clock;
  readonly engine: DelegationEngine;
  readonly bounds: Bounds;
  readonly ledger: SpendingLedger;
  readonly sessions: GaiaSessions;
  readonly workspace: Workspace;
  treeOf(unit: string | null): WorkTree;
  readonly redact: Redactor;
  readonly seal: Seal;
  readonly defaults: CollaborationDefaults;
  readonly memory: Memory;
  readonly knowledge: Knowledge;
  readonly rules: Rules;
  readonly skills: Skills;
  readonly skillServers: Pick<SkillServers, "end">;
  readonly workStore: WorkStore;
  /** Whether no model may see the content of a file, by its path relative to the project (SPEC 9). */
  readonly isSensitive: (path: string) => boolean;
  projectTexts(): Promise<ProjectTexts>;
  /** What GAIA has to know of the project, rendered as the files are now. */
  renderProjectContext(): Promise<string>;
  /** Judges calls in a worktree as those in the project. */
  readonly openWorkplace: OpenWorkplace;
  readonly lanes: LanesConfig["mode"];
  readonly capture: ResolvedConfig["capture"];
  readonly learn: ResolvedConfig["learn"];
  readonly findings: ResolvedConfig["findings"];
  readonly notify: ResolvedConfig["notify"];
  readonly guards: ResolvedConfig["guards"];
  /** The skills that an agent has, as globs; null for all. */
  skillsOf(agent: string): readonly string[] | null;
  roleOf(agent: string): Role | null;
  /** Who a name stands for in the roster; undefined for one that is not in it. */
  specialistOf(agent: string): Specialist | undefined;
  /** The orchestrator's name, in which notes are written before anyone has spoken. */
  readonly orchestrator: string;
  /** How long GAIA's model may be silent within a turn, in milliseconds. */
  readonly turnStallMs: number;
}
