import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CheckDefinition } from "../../../config/definition-of-done.ts";
import type { PlanTask } from "../../../plan/task.ts";
import type { TreeChange } from "../../../snapshot/version.ts";
import { isProtectedPath } from "../../../policy/protected-path.ts";
import { isSensitivePath } from "../../../policy/sensitive-path.ts";
import type { Lanes } from "../lanes.ts";
import type { Run } from "../run.ts";
import { isPlanned, newTestsIn, pathBelow } from "./check-files.ts";
import type { Judged } from "./evidence.ts";
import { projectBelow } from "./project-below.ts";
import { checksOf, type Jury, type TriedOut, tryOut } from "./try-out.ts";
import { turned } from "../../../snapshot/version.ts";

/** Of one candidate, with what its tests share. */
const MAX_FILES = 20;
const MAX_NAMED = 3;
/** No language reads it. */
const NO_PROGRAM = ")]}'\"`( no program\n";

/** New tests of other candidates that a candidate's work passes. */
export interface OthersTests {
  /** That work with them. */
  readonly tree: string;
  readonly paths: readonly string[];
  /** Whether only those that the plan gives to the task were looked at. */
  readonly isPlannedOnly: boolean;
  /** What became of each candidate's own, by its number. */
  readonly told: ReadonlyMap<number, string>;
}

/**
 * Tries the new tests of others on the work of one, each candidate's together and on top of those before: they are kept where
 * the checks pass with them as they did without, and fail once no program stands in them, for only then are they run. What is
 * there already stays as it is. The caller lets nobody else at the worktrees.
 */
export async function findOthersTests(
  run: Run,
  lanes: Lanes,
  { jury, task, order }: { jury: Jury; task: PlanTask; order: readonly Judged[] },
  one: Judged,
): Promise<OthersTests> {
  const { engine, store } = lanes;
  const isPlannedOnly = run.conversation.state.knobs.mode === "autopilot";
  const wanted = checksOf(jury).filter((check) => one.seen !== null && isFine(one.seen, check));
  const told = new Map<number, string>();
  const paths: string[] = [];
  let { tree } = one;
  for (const other of wanted.length === 0 ? [] : order) {
    const tests =
      other === one ? [] : await testsOf(run, lanes, isPlannedOnly ? (task.files ?? []) : null, other);
    if (tests.length === 0) continue;
    const more = await engine.treeWithout(store, tree, tests.map(turned));
    const clash = (await engine.changesOf(store, tree, more)).filter(({ before }) => before.id !== "");
    const fresh = tests.filter(({ path }) => !clash.some((each) => each.path === path));
    const next = await engine.treeWithout(store, tree, fresh.map(turned));
    const isApart = (await engine.changesOf(store, tree, next)).every(({ before }) => before.id === "");
    if (fresh.length === 0 || fresh.length > MAX_FILES || !isApart) continue;
    const end = await tryTests(run, lanes, jury, { one, next, fresh, wanted });
    if (run.call.abort.aborted) break;
    const names = fresh.map(({ path }) => path);
    const shown = [...names.slice(0, MAX_NAMED), ...(names.length > MAX_NAMED ? ["…"] : [])].join(", ");
    told.set(
      other.candidate,
      `its ${shown}: ${end === "pass" ? `passes on ${one.candidate}` : `${end} on it`}`,
    );
    if (end !== "pass") continue;
    tree = next;
    paths.push(...names);
  }
  return { tree, paths, isPlannedOnly, told };
}

/** @param files those to which tests have to belong; null for any test of the project */
async function testsOf(
  run: Run,
  lanes: Lanes,
  files: readonly string[] | null,
  { tried, commit }: Judged,
): Promise<TreeChange[]> {
  const { engine, store } = lanes;
  const { allowSensitive } = run.runtime.config.policy;
  const folder = projectBelow(run, lanes);
  const changes = await engine.changesOf(store, tried.lane.base, commit);
  return newTestsIn(changes).filter(({ path }) => {
    const inside = pathBelow(path, folder);
    const isTheirs = files === null ? inside !== null : isPlanned(files, inside);
    const isClosed = isProtectedPath(`/${path}`) || isSensitivePath(path, allowSensitive);
    return isTheirs && !isClosed && !existsSync(join(store.top, path));
  });
}

interface Tried {
  readonly one: Judged;
  /** Its work with these files. */
  readonly next: string;
  readonly fresh: readonly TreeChange[];
  readonly wanted: readonly CheckDefinition[];
}

async function tryTests(
  run: Run,
  lanes: Lanes,
  jury: Jury,
  { one, next, fresh, wanted }: Tried,
): Promise<"pass" | "fail" | "not seen to run"> {
  const { engine, store } = lanes;
  const seen = await tryOut(run, lanes, jury, next, wanted);
  const isSame = ({ id }: CheckDefinition): boolean =>
    JSON.stringify(seen.ownFiles.get(id)) === JSON.stringify(one.seen?.ownFiles.get(id));
  if (!wanted.every((check) => isFine(seen, check) && isSame(check))) return "fail";
  const before = { id: await engine.keepText(store, NO_PROGRAM), mode: "100644" };
  const spoiled = await engine.treeWithout(
    store,
    next,
    fresh.map(({ path, after }) => ({ path, before, after })),
  );
  const broken = await tryOut(run, lanes, jury, spoiled, wanted);
  return wanted.every((check) => isFine(broken, check)) ? "not seen to run" : "pass";
}

function isFine({ ends }: TriedOut, { id }: CheckDefinition): boolean {
  return ends.get(id)?.kind === "fine";
}
