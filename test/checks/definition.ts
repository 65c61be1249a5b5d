import { type RunOptions, runDefinitionOfDone } from "../../src/checks/definition-of-done/run.ts";
import type { DefinitionOfDoneReport } from "../../src/checks/definition-of-done/report.ts";
import {
  type DefinitionOfDone,
  definitionOfDone,
  type WrittenDefinition,
} from "../../src/config/definition-of-done.ts";
import { systemClock } from "../../src/lib/clock.ts";

/** A check as someone writes it. */
export type WrittenCheck = NonNullable<WrittenDefinition["checks"]>[number];

/** A definition as the configuration gives it, with every default filled in. */
export function define(written: WrittenDefinition): DefinitionOfDone {
  return definitionOfDone().parse(written);
}

/** Runs a definition in a project. */
export async function runDefinition(
  directory: string,
  written: WrittenDefinition,
  options: Partial<Pick<RunOptions, "scope" | "signal" | "redact">> = {},
): Promise<DefinitionOfDoneReport> {
  return runDefinitionOfDone({
    directory,
    definition: define(written),
    signal: new AbortController().signal,
    clock: systemClock,
    redact: (text) => text,
    ...options,
  });
}
