import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { Verdict } from "../collaboration/decide-permission.ts";
import { classifyTool } from "../policy/classify-tool.ts";
import { findSensitiveAccess } from "../policy/sensitive-access.ts";

/** What the policy says about a tool call (SPEC 9). */
export interface Judged {
  readonly verdict: Verdict;
  readonly reason: string;
  /** The piece of a command that decided the verdict. */
  readonly part?: string;
  /** The file with secrets that the call would show. */
  readonly sensitive?: string;
}

/** Judges a tool call by its arguments, as the model gave them. */
export type Judge = (tool: string, args: unknown) => Judged;

/**
 * The policy for one project.
 * @param own the plugin's own tools, which guard themselves
 */
export function createJudge(settings: {
  readonly directory: string;
  readonly own: readonly string[];
  readonly dangerous: readonly string[];
  readonly allowSensitive: readonly string[];
}): Judge {
  const { directory, own, dangerous, allowSensitive } = settings;
  const realPath = (path: string): string | undefined => {
    try {
      return realpathSync(resolve(directory, path));
    } catch {
      return undefined; // There is nothing, and so nothing to show.
    }
  };
  return (tool, args) => {
    const { verdict, reason, node } = classifyTool(tool, args, { own, dangerous, folder: directory });
    const sensitive = findSensitiveAccess(tool, args, realPath, allowSensitive);
    const part = node === undefined ? {} : { part: node.text };
    return { verdict, reason, ...part, ...(sensitive === undefined ? {} : { sensitive: sensitive.path }) };
  };
}
