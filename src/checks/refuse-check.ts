import type { Examination } from "../policy/examination.ts";

/** Why the host never runs a command as a check, whoever wants it; null when it may (SPEC 9). */
export function refuseCheck({
  effect,
  reason,
  secret,
  protectedTarget,
}: Pick<Examination, "effect" | "reason" | "secret" | "protectedTarget">): string | null {
  if (effect === "forbidden") return `is dangerous (${reason})`;
  if (protectedTarget !== null) return `reaches for ${protectedTarget.text}, which only the user changes`;
  return secret === null ? null : `would show ${secret}, which may hold secrets`;
}
