import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { ToolEffect } from "../host/tool-call.ts";
import { createError } from "../lib/error.ts";
import type { Examination } from "./examination.ts";
import type { CallContext } from "./examine-call.ts";

/** Examines a tool call by what it does. @throws GaiaError when the policy cannot be loaded */
export type ExamineCall = (tool: string, effect: ToolEffect) => Promise<Examination>;

/** What the policy of a project depends on. */
export interface PolicySettings extends Omit<CallContext, "folder" | "resolve"> {
  readonly directory: string;
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
  return async (tool, effect) => {
    const { examineCall } = await import("./examine-call.ts").catch((cause: unknown) => {
      const hint = "The plugin was changed on disk while OpenCode ran: restart OpenCode.";
      throw createError("policy", "The policy could not be loaded.", { cause, hint });
    });
    return examineCall(tool, effect, context);
  };
}
