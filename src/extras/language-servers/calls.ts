import { resolve } from "node:path";
import { prepareChange } from "../changes/change.ts";
import type { FilePlace, PreparedCall } from "../../host/tool.ts";
import type { Clock } from "../../lib/clock.ts";
import { readSource } from "../../lib/read-source.ts";
import { isRefusal, type Refusal, refuse } from "../../lib/refusal.ts";
import type { CodeServers } from "./code-servers.ts";
import type { CodeCalls, EditedFile } from "./open.ts";
import { renderPreview, renderRenamed } from "./render-rename.ts";

/** Of calls that failed nothing is heard here, so the oldest go. */
const MAX_CALLS = 40;
/** An edit of more files than this is no change by hand. */
const MAX_FILES = 20;

/** One by its absolute path as well. */
interface NamedFile extends EditedFile {
  readonly at: string;
}

/** What calls ask of language servers, and what is to be told of them. */
export function createCodeCalls(
  servers: Pick<CodeServers, "answer" | "rename" | "newErrors" | "disturbed" | "brokenIn" | "dispose">,
  clock: Clock,
): CodeCalls {
  const edits = new Map<string, readonly NamedFile[]>();
  let queue: Promise<unknown> = Promise.resolve();
  return {
    async prepare({ op, file, query, new_name: newName, ...at }, place) {
      const spot = { ...at, name: query };
      if (op !== "rename") return prepareAnswer({ op, file, ...spot }, place);
      if (file === undefined || newName === undefined) return refuse("rename needs file and new_name.");
      const renamed = await servers.rename({ file, newName, ...spot }, place);
      if (isRefusal(renamed)) return renamed;
      const { changes, from, left } = renamed;
      return prepareChange(changes, place, {
        title: `${from} → ${newName} in ${changes.length} files`,
        tell: () => renderRenamed(changes, from, newName, left),
        diff: renderPreview(changes),
      });
    },
    async begins(callId, paths, folder) {
      const files = await Promise.all(
        [...new Set(paths)].slice(0, MAX_FILES).map(async (path) => {
          const at = resolve(folder, path);
          const file = await readSource(at, clock);
          const before = file.state === "read" ? Buffer.from(file.bytes).toString("utf8") : null;
          return file.state === "failed" ? [] : [{ path, before, at }];
        }),
      );
      edits.set(callId, files.flat());
      const [oldest] = edits.keys();
      if (edits.size > MAX_CALLS && oldest !== undefined) edits.delete(oldest);
    },
    async ended(callId, place) {
      // One after the other: calls of one answer run side by side, and each error is told with one of them.
      const turn = queue.then(async () => tell(callId, place));
      queue = turn.catch(() => undefined);
      return turn;
    },
    disturbed: servers.disturbed,
    brokenIn: servers.brokenIn,
    dispose: servers.dispose,
  };

  async function tell(callId: string, place: FilePlace): Promise<readonly string[]> {
    const edited = edits.get(callId) ?? [];
    edits.delete(callId);
    if (edited.length === 0) return [];
    const others = [...edits.keys()];
    const now = new Map<string, string>();
    for (const { at } of edited) {
      const file = await readSource(at, clock);
      if (file.state === "read") now.set(at, Buffer.from(file.bytes).toString("utf8"));
    }
    const lines = await servers.newErrors(edited, place);
    // For those that had begun by then, what is told of now was there before.
    for (const id of others) {
      const files = edits.get(id)?.map((each) => ({ ...each, before: now.get(each.at) ?? each.before }));
      if (files !== undefined) edits.set(id, files);
    }
    return lines;
  }

  function prepareAnswer(
    question: Parameters<typeof servers.answer>[0],
    place: FilePlace,
  ): PreparedCall | Refusal {
    const { op, file } = question;
    const paths = file === undefined ? [] : [file];
    return {
      // What it shows are lines of files that the server finds.
      effect: { kind: "read", paths, patterns: [], addresses: [], searches: true },
      async run() {
        const answer = await servers.answer(question, place);
        const text = typeof answer === "string" ? answer : `${answer.reason} ${answer.hint}`.trim();
        return { title: [op, file ?? question.name].filter(Boolean).join(" "), text, files: [] };
      },
    };
  }
}
