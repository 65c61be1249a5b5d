import type { Conversation } from "../conversation/conversation.ts";
import type { Specialist } from "../delegation/specialist.ts";
import { givesVerdict } from "../config/roles.ts";
import { bounded } from "../lib/bounded.ts";
import { describeError } from "../lib/error.ts";
import type { Runtime } from "../runtime.ts";

/** A delegation waits no longer than this for what its reviewer could also find out alone, in milliseconds. */
const PATIENCE_MS = 5_000;
const HEAD = "# The project's uncommitted changes, for a review of them";

/**
 * What a reviewer is given after the task, for the diff is judged last, at the depth that the user chose (SPEC 8): the current diff, the touched files
 * and, where asked for, hotspots and reach. At most `DIFF_BUDGET` and `LIST_BUDGET` characters; then, where the user wants that, how to
 * report what lies outside of it. Nothing for others.
 */
export async function reviewSection(
  { config, reviewerBriefs: ofProject, clock, host }: Runtime,
  { role, mutates }: Specialist,
  conversation: Conversation | null,
  signal: AbortSignal,
): Promise<string[]> {
  if (!givesVerdict(role) || (mutates && !hasChanges(conversation))) return [];
  // What is reviewed then is a plan.
  if (conversation?.parts.planning.stage()?.kind === "planning") return [];
  const depth = conversation?.state.knobs.reviewDepth ?? "diff";
  const stage = conversation?.parts.planning.stage();
  // What the user wants looked at by /gaia-review is theirs as well.
  const advice = stage?.kind === "review" ? stage : null;
  const base = advice?.base;
  const read = async (): Promise<string | null> => {
    const work = advice === null ? ((await conversation?.parts.ownWork.reviewed()) ?? null) : null;
    return (conversation?.tree.reviewerBriefs ?? ofProject).current(depth, signal, work, base);
  };
  const { enabled, ask } = config.findings;
  const asked = enabled && ask ? [(await import("../conversation/findings/ask.ts")).ASK_FOR_FINDINGS] : [];
  try {
    const brief = await bounded(read(), PATIENCE_MS, clock, "The diff");
    const title =
      base === undefined
        ? HEAD
        : `# The branch's changes since ${base.slice(0, 12)}, what is uncommitted included`;
    return brief === null ? asked : [`${title}\n${brief}`, ...asked];
  } catch (error) {
    host.logger.log("warn", "review-section", describeError(error));
    return asked;
  }
}

/** One who changes files herself reviews only what this conversation has changed. */
function hasChanges(conversation: Conversation | null): boolean {
  return (
    conversation !== null &&
    conversation.state.batch.files.length + conversation.state.lastBatch.files.length > 0
  );
}
