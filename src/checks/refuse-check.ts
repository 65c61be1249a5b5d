import type { Examination } from "../policy/examination.ts";

/**
 * Why a command of the Definition of Done does not run, although the project asks for it; null when it does. It is judged as
 * a checker's own command would be (SPEC 8, 9): dangerous in no mode, and nothing but checks while locked.
 */
export function refuseCheck(
  { effect, reason, secret, protectedTarget, isCheck }: Examination,
  isLocked: boolean,
): string | null {
  if (effect === "forbidden") return `is dangerous (${reason})`;
  if (protectedTarget !== null) return `reaches for ${protectedTarget.text}, which only the user changes`;
  if (secret !== null) return `would show ${secret}, which may hold secrets`;
  if (!isLocked || effect === "read" || isCheck) return null;
  return `is not known to be a check (${reason}), and the session is locked`;
}
