import type { Verdict } from "./judgement.ts";
import { createError } from "../lib/error.ts";

/** What the policy says about a tool call (SPEC 9). */
export interface Judged {
  readonly verdict: Verdict;
  readonly reason: string;
  /** The piece of a command that decided the verdict. */
  readonly part?: string;
  /** The file with secrets that the call would show. */
  readonly sensitive?: string;
  /** Whether a mutating command only runs the project's checks. */
  readonly isCheck?: boolean;
}

/** Judges a tool call by its arguments, as the model gave them. @throws GaiaError when the policy cannot be loaded */
export type Judge = (tool: string, args: unknown) => Promise<Judged>;

export interface JudgeSettings {
  readonly directory: string;
  /** The plugin's own tools, which guard themselves. */
  readonly own: readonly string[];
  readonly dangerous: readonly string[];
  readonly allowSensitive: readonly string[];
  /** Commands of the project's Definition of Done. */
  readonly checks: readonly string[];
}

/**
 * The policy for one project. It is the biggest part of the plugin and only GAIA's sessions need it, so it is loaded at
 * their first tool call instead of at everybody's start.
 */
export function createJudge(settings: JudgeSettings): Judge {
  let judge: ((tool: string, args: unknown) => Judged) | null = null;
  return async (tool, args) => {
    judge ??= await loadJudge(settings);
    return judge(tool, args);
  };
}

async function loadJudge(settings: JudgeSettings): Promise<(tool: string, args: unknown) => Judged> {
  try {
    return (await import("./policy-judge.ts")).createPolicyJudge(settings);
  } catch (cause) {
    const hint = "The plugin was changed on disk while OpenCode ran: restart OpenCode.";
    throw createError("policy", "The policy could not be loaded.", { cause, hint });
  }
}
