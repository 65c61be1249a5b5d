import { createKept, type Remember } from "../../src/conversation/part.ts";
import { silentLogger } from "../../src/lib/error.ts";
import { createSeal } from "../../src/lib/seal.ts";

/** What a part remembers without its conversation. @param saved what one before it left, see `kept` */
export function keeping(saved: unknown = null): { remember: Remember; kept(): unknown } {
  const kept = createKept(saved, "root", silentLogger, createSeal(), () => undefined);
  return { remember: kept.remember, kept: () => structuredClone(kept.sealed()) };
}

/** The same with these values left before. */
export function keepingOf(values: Readonly<Record<string, unknown>>): ReturnType<typeof keeping> {
  const before = keeping();
  for (const [name, value] of Object.entries(values)) before.remember<unknown>(name, null).now = value;
  return keeping(before.kept());
}
