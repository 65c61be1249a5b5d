import { posix } from "node:path";
import { isNamed, normalisePath } from "../../plan/files.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";

/**
 * What the author of an edit should look at again (SPEC 12): a file that the active plan does not name, once per file.
 */
interface Advice extends Part {
  /** One line or more for each edit that deserves it. */
  adviseEdits(files: readonly string[]): Promise<string[]>;
}

export function createAdvice(
  conversation: Pick<ConversationCore, "state">,
  { guards, workspace }: Pick<ConversationServices, "guards" | "workspace">,
): Advice {
  let told = NOTHING_TOLD;

  const adviseScope = async (files: readonly string[]): Promise<string[]> => {
    const unit = conversation.state.workUnit;
    const read = unit === null ? null : await workspace.readWorkUnit({ slug: unit });
    if (read?.ok !== true || read.status === "complete") return [];
    const scope = {
      files: read.tasks.flatMap((task) => task.files ?? []),
      text: read.content.plan_md,
    };
    return files.flatMap((file) => {
      const { state, advisory } = decideScopeAdvisory(scope, file, told);
      told = state;
      return advisory ?? [];
    });
  };

  return {
    adviseEdits: async (files) => (guards.scope ? adviseScope(files) : []),
  };
}

/** What a plan says of files. */
interface PlanScope {
  /** Of its tasks. */
  readonly files: readonly string[];
  /** All of it: a file that it mentions anywhere is meant, for a needless warning costs more trust than a missed one. */
  readonly text: string;
}

/** What the guard remembers of a session. */
interface ScopeGuardState {
  /** Files that were pointed out already. */
  told: readonly string[];
}

/** The state before the first edit. */
export const NOTHING_TOLD: ScopeGuardState = { told: [] };

const MAX_TOLD = 1_000;
/** Written by tools as a consequence of a change that the plan does name. */
const LOCK_FILE =
  /(^|\/)(package-lock\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|Cargo\.lock|go\.sum|uv\.lock|poetry\.lock)$/;

/**
 * After a file was changed: one advisory line when the active plan does not name it, once per file (SPEC 12).
 * A plan that names no files guards nothing; the record under `.gaia/`, lock files and the tests of a named file
 * belong to every plan.
 * @param file relative to the project
 */
export function decideScopeAdvisory(
  scope: PlanScope,
  file: string,
  state: ScopeGuardState,
): { state: ScopeGuardState; advisory: string | null } {
  const path = normalisePath(file);
  const outside = path === "" || path.startsWith("/") || path.startsWith("../");
  const exempt = path.startsWith(".gaia/") || LOCK_FILE.test(path);
  if (scope.files.length === 0 || outside || exempt || state.told.includes(path) || isMeant(scope, path)) {
    return { state, advisory: null };
  }
  return {
    state: { told: [...state.told, path].slice(-MAX_TOLD) },
    advisory: `Scope: the active plan does not name ${path}. Keep the change only if the plan needs it, and say so.`,
  };
}

function isMeant({ files, text }: PlanScope, path: string): boolean {
  return isNamed(files, path) || text.includes(posix.basename(path));
}
