import { runDefinitionOfDone } from "../../src/checks/definition-of-done/run.ts";
import type { DefinitionOfDoneReport } from "../../src/checks/definition-of-done/report.ts";
import {
  type DefinitionOfDone,
  definitionOfDone,
  type WrittenDefinition,
} from "../../src/config/definition-of-done.ts";
import { evidenceIn } from "../support/evidence.ts";

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
  {
    scope,
    signal = new AbortController().signal,
    redact = (text) => text,
  }: { scope?: string; signal?: AbortSignal; redact?: (text: string) => string } = {},
): Promise<DefinitionOfDoneReport> {
  const { runner } = evidenceIn(directory, { redact });
  const facts = { signal, isLocked: false, isByPerson: true };
  return (await runDefinitionOfDone(runner, { definition: define(written), scope, unit: null, facts }))
    .report;
}
