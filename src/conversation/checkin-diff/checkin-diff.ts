import { bounded } from "../../lib/bounded.ts";
import { describeError } from "../../lib/error.ts";
import type { DiffFile } from "../../vcs/unified-diff.ts";
import type { ConversationCore } from "../core.ts";
import type { OwnWork } from "../own-work/own-work.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import { renderChangedLines, renderPatches } from "./changed-lines.ts";
import { readDiff } from "./read-diff.ts";

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
