import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { createError } from "../lib/error.ts";
import type { Examination } from "./examination.ts";

/** Examines a tool call by its arguments, as the model gave them. @throws GaiaError when the policy cannot be loaded */
export type ExamineCall = (tool: string, args: unknown) => Promise<Examination>;

/** What the policy of a project depends on. */
export interface PolicySettings {
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
export function loadPolicy({ directory, ...settings }: PolicySettings): ExamineCall {
  const context = {
    ...settings,
    folder: directory,
    resolve(path: string): string | undefined {
      try {
        return realpathSync(resolve(directory, path));
      } catch {
        return undefined; // There is nothing, and so nothing to show.
      }
    },
  };
  return async (tool, args) => {
    try {
      const { examineCall } = await import("./examine-call.ts");
      return examineCall(tool, args, context);
    } catch (cause) {
      const hint = "The plugin was changed on disk while OpenCode ran: restart OpenCode.";
      throw createError("policy", "The policy could not be loaded.", { cause, hint });
    }
  };
}
