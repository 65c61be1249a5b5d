import { setImmediate } from "node:timers/promises";
import { describeError } from "../../lib/error.ts";
import type { Committed } from "./committed.ts";
import { blobNames, KNOWLEDGE_SCOPES, type KnowledgeScope, parseKnowledge } from "./entry.ts";
import { type KnowledgeFile, knowledgeFolder, listFiles, readEntry } from "./files.ts";
import type { KnowledgePlace } from "./open.ts";
import { BY_AGENT, type Said } from "./said.ts";

/** Files that are read before anyone else gets a turn. */
const AT_ONCE = 64;

/**
 * Looks at which entries say accepted since a call of an agent's ran. Nobody but that call may have written it, so it is no
 * word of a person's, not even of one who commits it with all that lies about: such a text is kept by its name in git. A yes
 * to it counts, and so does another text.
 */
export function createTouched(
  { directory, environment, host }: KnowledgePlace,
  committed: Pick<Committed, "head" | "held">,
  said: () => Said,
) {
  const look = (): ReadonlyMap<string, KnowledgeFile> => {
    try {
      const found = KNOWLEDGE_SCOPES.flatMap(
        (scope) => listFiles(scope, knowledgeFolder(scope, directory, environment)).files,
      );
      return new Map(found.map((file) => [file.path, file]));
    } catch (error) {
      host.logger.log("error", "knowledge", describeError(error));
      return new Map();
    }
  };
  /** What they say who say accepted, by whose knowledge they are. */
  const accepting = async (files: readonly KnowledgeFile[]): Promise<Record<KnowledgeScope, string[]>> => {
    const texts: Record<KnowledgeScope, string[]> = { project: [], user: [] };
    for (const [at, file] of files.entries()) {
      if (at > 0 && at % AT_ONCE === 0) await setImmediate();
      const text = readEntry(file) ?? "";
      if (parseKnowledge(text, file.slug, file.scope).status === "accepted") texts[file.scope].push(text);
    }
    return texts;
  };
  const distrust = async (
    scope: KnowledgeScope,
    texts: readonly string[],
    held: ReadonlySet<string>,
  ): Promise<void> => {
    const names = texts.map((text) => [...blobNames(text, 40), ...blobNames(text, 64)]);
    const unknown = names.filter((each) => !each.some((name) => held.has(name)));
    if (unknown.length === 0) return;
    await said().stores[scope].grant(unknown.flat().map((name) => `${BY_AGENT}${name}`));
  };

  return {
    /** A call of an agent's runs; the result ends it, is not to be called of one that did not run, and never rejects. */
    begins(): () => Promise<void> {
      const before = look();
      const head = committed.head();
      return async () => {
        try {
          const files = [...look().values()];
          const changed = files.filter((file) => before.get(file.path)?.signature !== file.signature);
          const { project, user } = await accepting(changed);
          await distrust("user", user, new Set());
          if (project.length === 0) return;
          // What a commit brought is judged with that commit.
          await distrust("project", project, await committed.held([head, committed.head()]));
        } catch (error) {
          host.logger.log("error", "knowledge", describeError(error));
        }
      };
    },
  };
}
