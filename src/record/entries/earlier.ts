import { editLines, parseMarkdown, renderMarkdown } from "../../lib/markdown.ts";
import { KNOWLEDGE_FOLDER } from "../gaia-path.ts";
import type { GaiaFiles } from "../store/gaia-files.ts";
import { entryKey, parseLearning, renderKnowledge } from "./entry.ts";

const LEARNINGS = "learnings.md";

/** Proposes each line of an earlier version's list, and takes it out of it; all else there stays. @throws as the files */
export async function takeEarlier(files: GaiaFiles): Promise<void> {
  if (!(await files.exists(LEARNINGS))) return;
  await files.exclusive(async (writer) => {
    const text = (await writer.read(LEARNINGS)) ?? "";
    const document = parseMarkdown(text);
    const found = document.lines.flatMap(({ text: line }, at) => {
      const learning =
        document.kinds[at] === "text" && line.startsWith("- ") ? parseLearning(line) : { kind: "", text: "" };
      return learning.text === "" ? [] : [{ ...learning, at }];
    });
    if (found.length === 0) return;
    // Entries first: a kill between loses nothing.
    for (const { kind, text: body } of found) {
      // What nobody has accepted is not in a name either, which models may see.
      const id = `learnt-${entryKey(body)}`;
      // By nothing but what it says: two clones make the same file of it, and git has nothing to merge.
      const unsaid = { source: "", evidence: "", about: [], supersedes: [], by: "", at: "", reason: "" };
      const entry = renderKnowledge({ ...unsaid, id, kind, scope: "project", status: "proposed", body });
      await writer.change(`${KNOWLEDGE_FOLDER}/${id}.md`, (known) => ({
        text: known ?? entry,
        result: null,
      }));
    }
    const rest = found.reduceRight((next, { at }) => editLines(next, at, 1, []), document);
    await writer.change(LEARNINGS, (now) => ({
      text: now === text ? renderMarkdown(rest) : null,
      result: null,
    }));
  });
}
