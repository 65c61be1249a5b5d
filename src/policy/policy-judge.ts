import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { recordOf, textOf } from "../lib/json.ts";
import { classifyTool } from "./classify-tool.ts";
import { findSensitiveAccess } from "./sensitive-access.ts";
import { isCheckCommand } from "./check-command.ts";
import type { Judged, JudgeSettings } from "./load-policy.ts";

/** The policy for one project, loaded: see {@link createJudge}. */
export function createPolicyJudge(settings: JudgeSettings): (tool: string, args: unknown) => Judged {
  const { directory, own, dangerous, allowSensitive, checks } = settings;
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
    const command = tool === "bash" && verdict === "mutating" ? textOf(recordOf(args)["command"]) : undefined;
    return {
      verdict,
      reason,
      ...(node === undefined ? {} : { part: node.text }),
      ...(sensitive === undefined ? {} : { sensitive: sensitive.path }),
      ...(command !== undefined && isCheckCommand(command, checks) ? { isCheck: true } : {}),
    };
  };
}
