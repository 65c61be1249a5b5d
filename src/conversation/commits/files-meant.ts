import type { HistoryPart } from "../../policy/history/history.ts";
import type { Vcs } from "../../vcs/port.ts";

/** The same, with what its path specifications mean among its paths; what version control cannot tell stays unread. */
export async function withFilesMeant(
  history: HistoryPart,
  vcs: Pick<Vcs, "filesMeant">,
): Promise<HistoryPart> {
  const { taken } = history;
  if (taken === null || taken.pathspecs.length === 0) return history;
  const { pathspecs } = taken;
  const meant = await Promise.all(
    pathspecs.map(async ({ folder, specs, tracked }) => vcs.filesMeant(folder, specs, tracked)),
  );
  const untold = pathspecs.find((_, at) => meant[at] === null);
  return {
    ...history,
    taken: {
      ...taken,
      paths: [...taken.paths, ...meant.flatMap((paths) => paths ?? [])],
      pathspecs: [],
      unread: taken.unread ?? untold?.specs.join(" ") ?? null,
    },
  };
}
