import { bounded } from "../../lib/bounded.ts";
import { describeError } from "../../lib/error.ts";
import { parseUnifiedDiff, type DiffFile, diffTexts } from "../../snapshot/unified-diff.ts";
import type { ConversationCore } from "../core.ts";
import type { OwnWork } from "../own-work/own-work.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import { renderChangedLines, renderPatches } from "./changed-lines.ts";
import { stripVTControlCharacters } from "node:util";
import { NO_FILE, isSame, type FileVersion, type TreeChange } from "../../snapshot/version.ts";
import { withMoves } from "../own-work/file-deltas.ts";

/** How long a check-in waits for its lines, in milliseconds; it then comes without. */
const READ_LIMIT_MS = 3_000;
/** Characters of all patches of a check-in: they travel with the session's metadata. */
const MAX_PATCHES = 11_500;

/** What changed line by line since the check-in before (SPEC 8, "Check-in packet"); git tells, without it there is nothing. */
export interface CheckinDiff extends Part {
  packet(
    render: (changed: ReadonlyMap<string, readonly string[]>) => string | Promise<string>,
  ): Promise<string>;
  /** The last check-in's changes as patches; before the first one all so far, after a restart those of the last batch. Never rejects. */
  patches(): Promise<string>;
}

export function createCheckinDiff(
  conversation: Pick<ConversationCore, "learn">,
  services: ConversationServices,
  ownWork: Pick<OwnWork, "batchChanges">,
): CheckinDiff {
  const { host, clock } = services;
  let last: Promise<DiffFile[]> | null = null;

  const read = async (which: Parameters<OwnWork["batchChanges"]>[0]): Promise<DiffFile[]> => {
    try {
      const files = readDiff(await ownWork.batchChanges(which), services);
      return await bounded(files, READ_LIMIT_MS, clock, "the changed lines");
    } catch (error) {
      host.logger.log("warn", "checkin-diff", describeError(error));
      return [];
    }
  };

  return {
    async packet(render) {
      last = read("now");
      return render(renderChangedLines(await last));
    },
    async patches() {
      // After a restart nobody has looked yet at what lies in the folder.
      if (last === null) await services.workWatch.look();
      const files = await (last ?? read("last"));
      return renderPatches(files, MAX_PATCHES);
    },
    userSpoke() {
      // What the panel was told of it stays no longer in the session's metadata than anyone looks at it.
      conversation.learn({ status: null });
    },
  };
}

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
