import * as z from "zod/mini";
import { listOf, recordOf, textOf, numberOf, type JsonRecord } from "../lib/json.ts";

/** A command that a specialist says it ran, and how it ended; null where it has no exit code. */
export interface RanCheck {
  readonly command: string;
  readonly exit_code: number | null;
}

/** One of these words, in any case and with any space around it. */
export function oneOf<const Word extends string>(words: readonly Word[]) {
  const fold = (value: unknown): unknown => {
    const said = typeof value === "string" ? value.trim().toLowerCase() : "";
    return words.find((word) => word.toLowerCase() === said) ?? value;
  };
  return z.pipe(z.transform(fold), z.enum(words));
}

/** How bad a finding is, the worst last; a grave one is a reason to reject. */
export const SEVERITIES = ["low", "medium", "high", "critical"] as const;
export const GRAVE: ReadonlySet<string> = new Set(["high", "critical"]);

export const checksRun = () => z.array(z.object({ command: z.string(), exit_code: z.nullable(z.number()) }));

export const optionalTexts = () => z._default(z.array(z.string()), []);

/** The checks that the data of an answer lists; empty for data of another shape. */
export function checksOf(data: JsonRecord): RanCheck[] {
  return listOf(data["checks_run"]).flatMap((each) => {
    const { command, exit_code: code } = recordOf(each);
    return typeof command === "string" ? [{ command, exit_code: numberOf(code) ?? null }] : [];
  });
}

/** The checks that failed, and of which it is not said that they failed before the work began. */
export function failedChecks(data: JsonRecord): RanCheck[] {
  const before = ["failed_before", "known_issues"].flatMap((key) => listOf(data[key]));
  return checksOf(data).filter(
    ({ command, exit_code: code }) =>
      code !== null && code !== 0 && !before.some((text) => textOf(text)?.includes(command) === true),
  );
}
