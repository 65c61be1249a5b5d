import type { Agents } from "../../agents/build.ts";
import type { LostHook } from "../../checks/commit-hook/commit-hook.ts";
import type { ConfigProblem } from "../../config/problem.ts";
import type { LoadedConfig } from "../../config/resolve.ts";
import type { RuleCatalogue } from "../../context/rules/rule.ts";
import type { LanguageReport } from "../../extras/language-servers/find-server.ts";
import type { ModelFacts } from "../../host/port.ts";
import type { TrustSurvey } from "../../project/trust.ts";
import type { SetupOffer } from "../offers.ts";
import type { OwnPackage } from "../own-package.ts";
import type { MergedConfig, PluginOrigin, Reading, VersionReading } from "./opencode.ts";
import type { Override, PanelFiles } from "./opencode-files.ts";

/** Everything that `doctor` has found out before it diagnoses any of it. */
/** The models that can be used now. */
export interface ModelList {
  readonly names: ReadonlySet<string>;
  readonly facts: readonly ModelFacts[];
  /** Those for which OpenCode has no price, so that a budget in money does not count them. */
  readonly unpriced: ReadonlySet<string>;
}

export interface Facts {
  readonly own: OwnPackage;
  /** Where it was started, which is where OpenCode is started. */
  readonly directory: string;
  /** The folders with a record from there up to the repository's root, the one that counts first. */
  readonly projects: readonly string[];
  /** Of Node, which runs the CLI. */
  readonly node: string;
  readonly openCode: VersionReading;
  /** OpenCode's configuration after a real start with all plugins. */
  readonly merged: Reading<MergedConfig>;
  readonly models: Reading<ModelList>;
  /** The entries of opencode.json that mean this package. */
  readonly entries: readonly PluginOrigin[];
  /** Those of opencode.json that mean its panel, or a part of it: OpenCode finds no plugin there. */
  readonly misplaced: readonly PluginOrigin[];
  /** Entries that lead nowhere, or are called almost like this package. */
  readonly lost: readonly PluginOrigin[];
  /** A commit hook that was installed and that git does not run any more; null for none. */
  readonly lostHook: LostHook | null;
  /** Checks whose command cannot be there, a sentence each. */
  readonly deadChecks: readonly string[];
  readonly panel: PanelFiles;
  readonly config: LoadedConfig;
  readonly trust: TrustSurvey;
  readonly customProblems: readonly ConfigProblem[];
  /** The project's rules; null where it has no files of them. */
  readonly rules: Pick<RuleCatalogue, "rules" | "problems"> | null;
  readonly agents: Agents;
  /** Every agent that could exist, disabled ones too, GAIA first. */
  readonly agentNames: readonly string[];
  /** What the user's own files say about our agents, the strongest first. */
  readonly overrides: readonly Override[];
  /** What was wrong with the answers of specialists in this project, by model. */
  readonly answers: readonly string[];
  readonly hasRipgrep: boolean;
  /** Why commands cannot be contained on this machine; null where they can. */
  readonly uncontained: string | null;
  /** Whether what the host runs itself can be contained, which needs no shell of the user's. */
  readonly isHostContained: boolean;
  /** Why the system calls of contained commands are not filtered; null where they are, or need not be. */
  readonly unfiltered: string | null;
  /** Why git says nothing of the project, and what helps; null where it does, or there is no repository. */
  readonly gitTrouble: { readonly what: string; readonly fix: string } | null;
  /** Whether the project is a repository of git or Jujutsu. */
  readonly hasHistory: boolean;
  /** What keeps `.gaia/` from being written, or null. */
  readonly recordTrouble: string | null;
  /** The language servers for the project; null where specialists ask none. */
  readonly languageServers: readonly LanguageReport[] | null;
  /** What would fit the project and is not there. */
  readonly offers: readonly SetupOffer[];
  /** What takes the record for the project's own, and where it is told not to. */
  readonly keepOut: readonly { readonly what: string; readonly fix: string }[];
  /** Of worktrees whose work has not landed, and of a landing that was cut off. */
  readonly lanes: readonly string[];
}

/** `error` makes `doctor` exit with 1; `warn` deserves a look and does not. */
export type Level = "ok" | "warn" | "error";

/** One thing that `doctor` has to say. */
export interface DoctorFinding {
  /** The check that says it; stable, for scripts. */
  readonly check: string;
  readonly level: Level;
  /** What was found, as one sentence or two. */
  readonly what: string;
  /** What to do about it; null where there is nothing to do. */
  readonly fix: string | null;
}

/** Diagnoses one matter: none, one or several findings. Pure. */
export type Check<Facts> = (facts: Facts) => Diagnosis | readonly Diagnosis[];

/** A finding before its check has put its name on it. */
export type Diagnosis = Omit<DoctorFinding, "check">;

/** @param fix how to have it otherwise, where someone may want to */
export function ok(what: string, fix: string | null = null): Diagnosis {
  return { level: "ok", what, fix };
}

export function warn(what: string, fix: string): Diagnosis {
  return { level: "warn", what, fix };
}

export function error(what: string, fix: string): Diagnosis {
  return { level: "error", what, fix };
}
