import { createBriefing, type Reader } from "../../briefing/briefing.ts";
import type { ConversationCore } from "../core.ts";
import { createHandouts } from "../../briefing/handouts.ts";
import type { Lanes } from "../lanes/lanes.ts";
import type { Part } from "../part.ts";
import type { Planning } from "../planning/stage.ts";
import type { WorkRecord } from "../record/work-record.ts";
import type { ConversationServices } from "../services.ts";

const STANDING = /<gaia-resume>[^]*?<\/gaia-resume>\n*/g;

export type Bearings = ReturnType<typeof createBearings>;

/** What GAIA knows of the project, the record and the open work, and what everyone who works is briefed with. */
export function createBearings(
  conversation: Pick<ConversationCore, "rootId" | "state" | "decisions">,
  services: ConversationServices,
  parts: {
    readonly workRecord: Pick<WorkRecord, "settled" | "unlogged">;
    readonly lanes: Pick<Lanes, "now">;
    readonly planning: Pick<Planning, "stage">;
  },
) {
  const { rootId } = conversation;
  const { host, sessions, orchestrator, memory, renderProjectContext, place } = services;
  const briefing = createBriefing({
    ...services,
    folder: host.project,
    unlogged: () => parts.workRecord.unlogged(),
    unrecorded: () => conversation.decisions.unrecorded(),
    logged: async () => parts.workRecord.settled(),
    checks: async (unit) => services.treeOf(unit).verifier.commands(),
    isBug: () => parts.lanes.now()?.name === "bug",
    isPlanned: () => parts.planning.stage()?.kind === "planning",
  });
  const handouts = createHandouts(services);
  const { afterCall, uses } = handouts;
  let context: Promise<string> | null = null;
  /** What of the record was told, and may be gone after a compaction. */
  let told = new Set<string>();
  let isMet = false;
  /** The open tasks that wait for a summary, whether one has them, and whether the next message owes them. */
  let waiting: string | null = null;
  let isSummedUp = false;
  let owesResume = false;

  /** Also after a restart, when this process meets an old conversation for the first time. */
  const isFirst = async (): Promise<boolean> => {
    if (isMet) return false;
    isMet = true;
    if (sessions.isNew(rootId)) return true;
    const earlier = await host.sessions.messages(rootId);
    return !earlier.some(({ role, agent }) => role === "user" && agent === orchestrator);
  };
  const projectContext = async (): Promise<string> => (context ??= renderProjectContext());

  const whereWork = (): string => {
    const { unit, worktree } = place;
    if (unit === null || told.has(worktree)) return "";
    told.add(worktree);
    return `The work of ${unit} stands in ${worktree} (branch gaia/${unit}), and nothing of it in this folder: look at it there.`;
  };

  const compacted = (): void => {
    // A compaction rewrites the conversation anyway, and so is the moment to read again.
    context = null;
    told = new Set();
    owesResume = !isSummedUp;
    isSummedUp = false;
    waiting = null;
  };

  return {
    afterCall,
    uses,
    /** What a specialist is told with its task, its rules and skills included. */
    async brief(reader: Reader & Parameters<typeof handouts.begin>[0]) {
      // The historian writes the record, of which no rule speaks.
      const isTold = reader.specialist.role !== "historian";
      const [{ before, after }, given] = await Promise.all([
        briefing.for(reader),
        isTold ? handouts.begin(reader) : [],
      ]);
      return {
        before,
        after: [...after, ...given.map(({ text }) => text)],
        /** It was sent to this session. */
        opened(sessionId: string): void {
          for (const each of given) each.opened(sessionId);
        },
      };
    },
    /** The project's context as it was at the first turn, so that the system prompt stays byte-stable (SPEC 2.6). */
    projectContext,
    /** What ends a message of the user's; empty for nothing. @param files paths that it names beside its words */
    async forMessage(text: string, files: readonly string[]): Promise<string> {
      const resume = (await isFirst()) || owesResume ? await memory.resume(conversation.state.workUnit) : "";
      owesResume = false;
      const relevant = await memory.relevant(told, text, files);
      return [resume, whereWork(), relevant].filter(Boolean).join("\n");
    },
    /** What GAIA's summary is to keep. */
    async forCompaction(): Promise<string> {
      const resume = await memory.resume(conversation.state.workUnit);
      if (resume !== "") waiting = resume;
      return resume;
    },
    /** GAIA's summary with the open tasks under it, which a model may have left out; any other text as it is. */
    underSummary(text: string): string {
      const resume = waiting;
      waiting = null;
      isSummedUp = resume !== null;
      // A summary of a summary may repeat how things stood at the last compaction.
      return resume === null ? text : `${text.replaceAll(STANDING, "").trimEnd()}\n\n${resume}`;
    },
    observe(event, isRoot) {
      handouts.observe(event);
      if (!isRoot) return;
      if (event.type === "session.compacted") compacted();
      // No summary came: the next text of this session is an ordinary answer.
      if (event.type === "session.error" || (event.type === "session.status" && event.status === "idle")) {
        waiting = null;
      }
    },
  } satisfies Part & Record<string, unknown>;
}
