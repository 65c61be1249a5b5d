import { realpath } from "node:fs/promises";
import { basename } from "node:path";
import * as z from "zod/mini";
import type { Clock } from "../../lib/async.ts";
import {
  createError,
  describeError,
  type GaiaError,
  isGaiaError,
  type Logger,
  MAX_REASON,
} from "../../lib/error.ts";
import { parseJson, recordOf } from "../../lib/json.ts";
import { createRedactor, redactDeep, type Redactor } from "../../lib/redaction.ts";
import { createSeal, type Seal } from "../../lib/seal.ts";
import { head } from "../../lib/text.ts";
import type { Updated, Unchanged } from "../documents/table.ts";
import type { Knowledge } from "../knowledge.ts";
import { codeOf, describeSystemProblem, GAIA_FOLDER, LOCAL_FOLDER, refuseSlug } from "../gaia-path.ts";
import { createGaiaFiles, type GaiaFiles, type GaiaReader, type GaiaWriter } from "../store/gaia-files.ts";
import { renderTemplate, type TemplateName } from "../templates.ts";

export interface WorkspaceOptions {
  readonly directory: string;
  /** Dates entries, in UTC. Locks go by the system's time, since other processes do. */
  readonly clock: Clock;
  readonly logger: Logger;
  /** Applied to every text that is written; by default built from this process's environment. */
  readonly redact?: Redactor;
  /** Tells the user's own notes from those that came with the project; by default such notes hold for this process. */
  readonly seal?: Seal;
  /** What was learnt; nothing, and nobody to propose to, by default. */
  readonly knowledge?: Pick<Knowledge, "accepted" | "propose">;
}

/** What every operation of the workspace resolves to; it never rejects (SPEC 5). */
export type WorkspaceResult<T> =
  | ({ readonly ok: true } & T)
  | { readonly ok: false; readonly error: string; readonly hint: string };
type Operation<A extends unknown[], T> = (...input: A) => Promise<T>;

export type OperationContext = ReturnType<typeof createOperationContext>;

export function createOperationContext(options: WorkspaceOptions) {
  const { directory, clock, logger, knowledge, seal = createSeal() } = options;
  const redact = options.redact ?? createRedactor(process.env);
  const planListeners = new Set<(path: string) => void>();
  /** An operation that never rejects. */
  const method =
    <A extends unknown[], T extends object>(operation: Operation<A, T>): Operation<A, WorkspaceResult<T>> =>
    async (...input) =>
      toResult(logger, async () => operation(...input));
  return {
    files: createGaiaFiles(directory, logger),
    directory,
    knowledge,
    now: (): number => clock.now(),
    /** Today as an ISO day in UTC, so that people in several zones write one order. */
    today: (): string => new Date(clock.now()).toISOString().slice(0, 10),
    /** What only this user's plugin can make of such a note, for this project alone. */
    seal: async (...note: readonly unknown[]): Promise<string> =>
      seal(JSON.stringify([await realpath(directory), JSON.stringify(note)])),
    /** Runs what may throw. */
    run: async <T extends object>(operation: () => Promise<T>) => toResult(logger, operation),
    method,
    /** The same for one that writes texts down: no secret gets into them. */
    clean: <A extends unknown[], T extends object>(operation: Operation<A, T>) =>
      method<A, T>(async (...input) => operation(...redactDeep(input, redact))),
    /** Tells those who listen that a plan was changed. @returns what it was given */
    tellPlan<T extends Written>(changed: T): T {
      for (const tell of planListeners) tell(changed.path);
      return changed;
    },
    /** Calls `listener` with a plan's path after each change of it by this process. @returns what ends that */
    onPlanChanged(listener: (path: string) => void): () => void {
      planListeners.add(listener);
      return () => planListeners.delete(listener);
    },
  };
}

/** Runs an operation and turns whatever it throws into a result with a hint. */
async function toResult<T extends object>(
  logger: Logger,
  operation: () => Promise<T>,
): Promise<WorkspaceResult<T>> {
  try {
    return { ok: true, ...(await operation()) };
  } catch (error) {
    if (isGaiaError(error)) return { ok: false, error: head(error.message, MAX_REASON), hint: error.hint };
    logger.log("error", "workspace", describeError(error));
    const system = describeSystemProblem(codeOf(error));
    const told = head(describeError(error), MAX_REASON);
    if (system === null) return { ok: false, error: told, hint: "Nothing was written." };
    const hint = `Nothing was written. ${told}`;
    return { ok: false, error: `The record cannot be written: ${system}.`, hint };
  }
}

export const UNIT_DOCUMENTS = ["plan.md", "log.md", "decisions.md"] as const;
export const SPEC = "spec.md";
export const GAIA_INIT = "gaia-init.md";

export interface UnitRef {
  readonly slug?: string;
}

export interface Written {
  readonly path: string;
}

/** A map of values by names in `.gaia/.local/`, which git does not see. What cannot be read, or fits no schema, counts as absent. */
export function defineLocalMap<T>(name: string, schema: () => z.ZodMiniType<T>) {
  const path = `${LOCAL_FOLDER}/${name}`;
  const decode = (text: string | null) =>
    Object.entries(recordOf(parseJson(text ?? ""))).flatMap(([key, each]) => {
      const { success, data } = schema().safeParse(each);
      return success ? [[key, data] as const] : [];
    });
  return {
    get: async (files: GaiaReader, key: string): Promise<T | undefined> =>
      decode(await files.read(path, "replaceable")).findLast(([each]) => each === key)?.[1],
    /** The entry comes last; null takes it out. */
    async set(writer: GaiaWriter, key: string, value: T | null): Promise<void> {
      const edited = (text: string | null) => {
        const others = decode(text).filter(([each]) => each !== key);
        const next = value === null ? others : [...others, [key, value] as const];
        if (text === null && next.length === 0) return { text, result: null };
        return { text: `${JSON.stringify(Object.fromEntries(next), null, 1)}\n`, result: null };
      };
      await writer.change(path, edited, "replaceable");
    },
  };
}

/** Which unit is active is a fact about this checkout, like git's HEAD: two people work on two units at the same time. */
const active = defineLocalMap("active.json", () => z.string());
const ACTIVE = "work_unit";

/** The active work unit, or null: none was set, or it is gone. */
export async function readActive(files: GaiaReader): Promise<string | null> {
  const slug = await active.get(files, ACTIVE);
  return slug !== undefined && refuseSlug(slug) === null && (await files.exists(slug)) ? slug : null;
}

export async function writeActive(writer: GaiaWriter, slug: string | null): Promise<void> {
  await active.set(writer, ACTIVE, slug);
}

export function recordPath(inside: string): string {
  return `${GAIA_FOLDER}/${inside}`;
}

/** The named work unit, else the active one. @throws GaiaError when there is none */
export async function unitOf(files: GaiaReader, slug: string | undefined): Promise<string> {
  const unit = slug ?? (await readActive(files));
  if (unit === null) {
    throw failure("No work unit is active.", "Pass a slug, or create_work_unit first.");
  }
  requireSlug(unit);
  if (await files.exists(unit)) return unit;
  const hint =
    "list_work_units shows what there is; create_work_unit makes a new one. An archived one goes on once the user moves its folder back.";
  throw failure(`There is no work unit "${unit}".`, hint);
}

export function requireSlug(slug: string): void {
  const refused = refuseSlug(slug);
  if (refused !== null) throw failure(`"${slug}" is not a work unit's name.`, refused);
}

/** Changes something in a work unit with the lock held; a unit that does not exist is refused before anything is created. */
export async function inUnit<T>(
  files: GaiaFiles,
  slug: string | undefined,
  job: (writer: GaiaWriter, unit: string) => Promise<T>,
): Promise<T> {
  await unitOf(files, slug);
  return files.exclusive(async (writer) => job(writer, await unitOf(writer, slug)));
}

export async function changeUnit<T>(
  files: GaiaFiles,
  slug: string | undefined,
  name: TemplateName,
  change: (text: string) => Updated<T>,
): Promise<T & Written> {
  return inUnit(files, slug, async (writer, unit) => {
    const inside = `${unit}/${name}` as const;
    return { path: recordPath(inside), ...(await changeDocument(writer, inside, change)) };
  });
}

/** Applies a pure change to a document, which begins as the template of its name when it is missing or empty. */
export async function changeDocument<T>(
  writer: GaiaWriter,
  inside: `${string}/${TemplateName}` | TemplateName,
  change: (text: string) => Updated<T>,
): Promise<T> {
  return writer.change(inside, async (text) => {
    const start =
      text === null || text.trim() === "" ? await renderTemplate(basename(inside) as TemplateName, {}) : text;
    const changed = change(start);
    if (!changed.ok) throw refusalOf(inside, changed);
    return { text: changed.text, result: changed.result };
  });
}

/** A refusal as an error that begins with `file:line:` when it is about a line. */
export function refusalOf(inside: string, { line, error, hint }: Unchanged): GaiaError {
  const where = line === undefined ? "" : `${recordPath(inside)}:${line}: `;
  return failure(where + error, hint);
}

export function failure(error: string, hint: string): GaiaError {
  return createError("workspace", error, { hint });
}
