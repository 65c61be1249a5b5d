import { isGraver } from "./examination.ts";
import type { ExamineCall } from "./load-policy.ts";

const OTHER = /(?:^|[\\/])(?:pwsh|powershell|cmd)(?:\.exe)?$/i;

/**
 * What is written for PowerShell or cmd is not read as bash: at best it is unknown. What looks forbidden, secret or protected all
 * the same stays so.
 * @param shell in which commands run now
 */
export function examineForShell(examine: ExamineCall, shell: () => string): ExamineCall {
  return async (tool, effect) => {
    const seen = await examine(tool, effect);
    if (effect.kind !== "command" || effect.command === "" || !OTHER.test(shell())) return seen;
    if (isGraver(seen.effect, "unknown") && !seen.isAllowed) return { ...seen, isCheck: false };
    const reason = "is written for a shell that is not read here";
    return { ...seen, effect: "unknown", reason, part: null, isCheck: false, isAllowed: false };
  };
}
