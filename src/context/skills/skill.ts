import type { ConfigProblem } from "../../config/problem.ts";
import type { Given } from "../given.ts";
import type { Rule } from "../rules/rule.ts";

export interface SkillServer {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  /** `${NAME}` in a value stands for the user's own. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether it asks for the network, where it is contained. */
  readonly network: boolean;
}

/** A skill as OpenCode finds it; it applies by paths alone. Its source is what a specialist reads above its text. */
export interface Skill extends Rule {
  readonly name: string;
  /** The file that holds it: from the project's root, or absolute for one of the user's own. */
  readonly path: string;
  readonly servers: readonly SkillServer[];
  /** What is said of these to who has the skill; empty for none. */
  readonly reach: string;
}

export interface SkillCatalogue {
  readonly rules: readonly Skill[];
  /** What of them, and of the configuration about them, does not take effect as written. */
  readonly problems: readonly ConfigProblem[];
  render(skills: readonly Skill[], used: number): Given;
}
