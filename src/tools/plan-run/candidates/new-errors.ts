import { join } from "node:path";
import type { EditedFile } from "../../../extras/language-servers/open.ts";
import type { Workplace } from "../../../conversation/worktrees/worktrees.ts";
import type { Lanes } from "../lanes.ts";
import type { Run } from "../run.ts";
import { projectBelow } from "./project-below.ts";
import { turned } from "../../../snapshot/version.ts";

/** Where more files were changed, no server is asked. */
const MAX_FILES = 100;

/**
 * The errors that a tree has and the one that it began with had not, by the language servers, a line each.
 * @param workplace where it stands, to be thrown away
 * @returns null where nobody can tell; nothing where code is off
 */
export async function newErrorsIn(
  run: Run,
  lanes: Lanes,
  [base, tree]: readonly [base: string, tree: string],
  { to, place }: Workplace,
): Promise<readonly string[] | null> {
  const { config, code } = run.runtime;
  if (config.code !== "on" || run.call.abort.aborted) return [];
  const { engine, store } = lanes;
  const changes = await engine.changesOf(store, base, tree);
  if (changes.length > MAX_FILES) return null;
  const olds = await engine.contentsOf(store, changes.map(turned));
  const edited = changes.map(({ path, before: old }, at): EditedFile => {
    const before = old.id === "" ? null : (olds[at]?.toString("utf8") ?? "");
    return { path: join(to, path), before };
  });
  const below = projectBelow(run, lanes);
  const standsFor = { from: store.from, to };
  return code.brokenIn(edited, { ...place, below, standsFor, sessionId: run.call.sessionId, agent: "" });
}
