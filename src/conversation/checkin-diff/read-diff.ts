import { stripVTControlCharacters } from "node:util";
import { NO_FILE, isSame, type FileVersion, type TreeChange } from "../../snapshot/version.ts";
import { diffTexts } from "../../vcs/text-diff.ts";
import { parseUnifiedDiff, type DiffFile } from "../../vcs/unified-diff.ts";
import { withMoves } from "../own-work/file-deltas.ts";
import type { ConversationServices } from "../services.ts";

/** Files whose lines are looked at; of the others the packet tells how many lines there are. */
const MAX_FILES = 20;
const MAX_BYTES = 300_000;
/** What a terminal would obey, and what turns the order of letters around. */
// oxlint-disable-next-line no-control-regex -- these are meant
const INVISIBLE = /[\u0000-\u0008\u000B-\u001F\u007F\u202A-\u202E\u2066-\u2069]/gu;

/** What changed in each file, for the screen: secrets go before anything is compared, so that no cut lets one through. */
export async function readDiff(
  changes: readonly TreeChange[],
  services: Pick<ConversationServices, "workWatch" | "redact" | "isSensitive">,
): Promise<DiffFile[]> {
  const { workWatch, redact, isSensitive } = services;
  const textOf = async (version: FileVersion): Promise<Buffer | null> => {
    const bytes = isSame(version, NO_FILE) ? Buffer.alloc(0) : await workWatch.trees.bytes(version);
    if (bytes === null || bytes.length > MAX_BYTES || bytes.includes(0)) return null;
    const text = redact(bytes.toString("utf8").replaceAll("\r\n", "\n"));
    return Buffer.from(stripVTControlCharacters(text).replaceAll(INVISIBLE, "�"));
  };
  const open = withMoves(changes).filter(
    ({ path, before, after }) => before.id !== after.id && !isSensitive(path),
  );
  const texts = await Promise.all(
    open.slice(0, MAX_FILES).map(async (change) => {
      const [before, after] = await Promise.all([textOf(change.before), textOf(change.after)]);
      return before === null || after === null ? [] : [{ path: change.path, before, after }];
    }),
  );
  const files = texts.flat();
  const diffs = await diffTexts(files);
  return files.flatMap(({ path }, at) =>
    parseUnifiedDiff(diffs[at] ?? "").map((file) => ({ ...file, path })),
  );
}
