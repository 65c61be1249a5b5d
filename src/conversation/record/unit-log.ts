import type { Logger } from "../../lib/logger.ts";
import type { Workspace } from "../../record/workspace.ts";

export type UnitLog = ReturnType<typeof createUnitLog>;

export function createUnitLog(workspace: Workspace, logger: Logger) {
  let writing: Promise<void> = Promise.resolve();
  const write = async (slug: string, title: string, markdown: string, unless?: string): Promise<void> => {
    const written = await workspace.appendLog({ slug, title, markdown, unless });
    if (!written.ok) logger.log("warn", "unit-log", `${written.error} ${written.hint}`, { slug });
  };
  return {
    /**
     * @param slug null for work without a unit, which has no log
     * @param unless see `LogEntry`
     * @returns when it is written; never rejects, what cannot be written is logged
     */
    async add(slug: string | null, title: string, markdown: string, unless?: string): Promise<void> {
      if (slug === null) return;
      writing = writing.then(async () => write(slug, title, markdown, unless));
      await writing;
    },
    /** Resolves when everything is written that can be. */
    async settled(): Promise<void> {
      await writing;
    },
  };
}
