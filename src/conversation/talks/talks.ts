import { isEnded } from "../../delegation/task.ts";
import { excerpt, tail } from "../../lib/text.ts";
import { renderDelta, listed } from "../../lib/figures.ts";
import { toUser } from "../../lib/for-person.ts";
import { createLines } from "../../lib/async.ts";
import { newestWithin } from "../../lib/schema.ts";
import type { Bearings } from "../bearings/bearings.ts";
import { type Batch, addFact, addFiles, EMPTY_BATCH } from "../collaboration/batch.ts";
import type { ConversationCore } from "../core.ts";
import type { Delegations } from "../delegations/delegations.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";

const MAX_TALKS = 4;
/** Of what the user said there, the newest; in characters each. */
const MAX_SAID = 4;
const MAX_WORDS = 160;
/** Of the specialist's last words the end, in characters. */
const MAX_LAST = 600;
/** Files that outlive a restart, and that are told. */
const MAX_FILES = 8;
const MAX_RETURNED_FILES = 12;
/** What of the talks is kept over a restart, in characters of JSON. */
const MAX_KEPT = 7_000;
/** Of a brief, specialists at work; in characters each. */
const MAX_AT_WORK = 4;
const MAX_LINE = 240;

/** One session, since GAIA was told of it last. */
interface Talk {
  readonly agent: string;
  readonly session: string;
  /** The newest of what the user said there. */
  readonly said: readonly string[];
  /** What was changed, as the host saw it. */
  readonly work: Batch;
  readonly isBriefed: boolean;
  /** A turn runs there, be it a command's. */
  readonly isBusy: boolean;
  /** It answers what the user said there. */
  readonly isWorking: boolean;
  /** The user has gone back to GAIA. */
  readonly isLeft: boolean;
}

const NOTHING = { said: [], work: EMPTY_BATCH } as const;
const UNSEEN = { ...NOTHING, isBriefed: false, isBusy: false, isWorking: false, isLeft: false } as const;

/** The sessions in which the user speaks with specialists themselves (`/talk`), and what GAIA is told of them (`/back`). */
export function createTalks(
  conversation: ConversationCore,
  services: Pick<ConversationServices, "host" | "redact" | "memory" | "specialistOf" | "bounds">,
  parts: {
    readonly delegations: Pick<Delegations, "talks">;
    readonly bearings: Pick<Bearings, "brief">;
  },
) {
  const { host, redact, bounds } = services;
  const talks = conversation.remember<readonly Talk[]>("talks", [], (all) =>
    newestWithin(
      all.map((talk) => {
        const work = addFiles(EMPTY_BATCH, talk.work.files.slice(-MAX_FILES));
        return { ...talk, work, isBusy: false, isWorking: false };
      }),
      MAX_KEPT,
    ),
  );
  const inLine = createLines();

  const find = (sessionId: string): Talk | undefined =>
    talks.now.find(({ session }) => session === sessionId);
  const change = (sessionId: string, values: Partial<Talk>): void => {
    talks.now = talks.now.map((talk) => (talk.session === sessionId ? { ...talk, ...values } : talk));
  };
  const add = (agent: string, session: string): Talk => {
    const talk = { ...UNSEEN, agent, session };
    talks.now = [...talks.now, talk].slice(-MAX_TALKS);
    return talk;
  };
  const isGone = async (sessionId: string): Promise<boolean> =>
    (await host.sessions.get(sessionId).catch(() => undefined)) === null;
  /** How the work stands, as the record and the host know it. */
  const standing = async (): Promise<string> => {
    const { workUnit, wave, knobs } = conversation.state;
    const atWork = conversation.tasks().filter((task) => !isEnded(task));
    const beside = atWork
      .slice(-MAX_AT_WORK)
      .map(({ agent, title = "" }) => `At work beside you: ${agent} › ${excerpt(title, MAX_LINE)}`);
    const mode = `Mode: ${knobs.mode}${wave === null ? "" : `, wave ${wave.id}`}`;
    return redact([mode, ...beside, await services.memory.resume(workUnit)].join("\n"));
  };

  /** Of the specialist's last words the end, as its session holds them. */
  const lastWords = async (sessionId: string): Promise<string> => {
    const messages = await host.sessions.messages(sessionId).catch(() => []);
    const said = messages.findLast(({ role, turn }) => role === "assistant" && turn.text !== "");
    return tail(redact(said?.turn.text ?? ""), MAX_LAST);
  };
  /** What is new of a talk, taken out of it; null for nothing. */
  const close = async (sessionId: string): Promise<string | null> => {
    const gone = await isGone(sessionId);
    // What is said of going back is no word of the talk.
    const isSpoken = (find(sessionId)?.said.length ?? 0) > 0;
    const last = isSpoken && !gone ? await lastWords(sessionId) : "";
    const talk = find(sessionId);
    if (talk === undefined) return null;
    change(sessionId, { ...NOTHING, isLeft: true });
    if (gone) talks.now = talks.now.filter(({ session }) => session !== sessionId);
    if (talk.said.length === 0 && talk.work.files.length === 0) return null;
    return redact(renderReturn(talk, last, gone));
  };

  /** Its turn is over, and with it what counts as a delegation. */
  const fallSilent = async (sessionId: string): Promise<void> => {
    change(sessionId, { isBusy: false, isWorking: false });
    conversation.dispatch({ type: "delegation-finished", sessionId, ok: true });
    if (!conversation.busy && conversation.state.delegations.length === 0) {
      conversation.dispatch({ type: "turn-ended" });
      await conversation.outbox.flush();
    }
    // What it changed after the user had left it.
    const talk = find(sessionId);
    const late = talk?.isLeft === true && talk.work.files.length > 0 ? await close(sessionId) : null;
    if (late !== null) conversation.tell(late);
  };

  const unsubscribe = bounds.subscribe((sessionId, why, by) => {
    const talk = find(sessionId);
    if (talk === undefined || by === "budget") return;
    void host.toast("warning", `${talk.agent} stopped: ${why}. Write there to go on, with as much again.`);
  });

  return {
    /** The session with this specialist; who asks at the same time gets the same one. @param open begins one where there is none */
    enter: async (agent: string, open: () => Promise<string>): Promise<string> =>
      inLine(agent, async () => {
        const known = talks.now.findLast((talk) => talk.agent === agent);
        const stands = known !== undefined && !(await isGone(known.session));
        const { session } = stands ? known : add(agent, await open());
        // Meanwhile the work has gone on.
        change(session, { isBriefed: false });
        return session;
      }),
    /** Whether a turn runs in that session: OpenCode answers a note in its last words with one more request. */
    isBusy: (sessionId: string): boolean => find(sessionId)?.isBusy === true,
    /**
     * The user wrote there: until it falls silent, that session counts as a delegation of now.
     * @param words null for a slash command
     * @returns what the specialist has to know with it
     */
    async spoken(sessionId: string, agent: string, words: string | null): Promise<string[]> {
      const talk = find(sessionId) ?? add(agent, sessionId);
      parts.delegations.talks(sessionId);
      change(sessionId, { isBusy: true });
      if (words === null) return [];
      change(sessionId, {
        said: [...talk.said, excerpt(redact(words), MAX_WORDS)].slice(-MAX_SAID),
        isWorking: true,
        isLeft: false,
        isBriefed: true,
      });
      const specialist = services.specialistOf(agent) ?? { role: null, mutates: false };
      const unit = conversation.state.workUnit;
      const told = { specialist, unit, about: words, named: [], session: sessionId };
      const { before, after, opened } = await parts.bearings.brief({ ...told, resumes: talk.isBriefed });
      opened(sessionId);
      const now = talk.isBriefed ? "" : frameBrief([...before, await standing()].join("\n\n"));
      return [now, ...after].filter(Boolean);
    },
    /** Has GAIA told what came of talks since it was told last; each thing once. @param sessionId null for all of them @returns the same for the user */
    async handBack(sessionId: string | null): Promise<readonly string[]> {
      const asked = talks.now.filter(({ session }) => sessionId === null || session === sessionId);
      const told: string[] = [];
      for (const { session } of asked) {
        const each = await close(session);
        if (each !== null) told.push(each);
      }
      for (const each of told) conversation.tell(each);
      return told.map(toUser);
    },
    heard(event) {
      const talk = event.type === "tool-finished" ? find(event.fact.sessionId) : undefined;
      if (talk !== undefined && event.type === "tool-finished")
        change(talk.session, { work: addFact(talk.work, event.fact) });
    },
    observe(event, isRoot) {
      if (isRoot || !("sessionId" in event)) return;
      const talk = find(event.sessionId);
      if (talk?.isBusy === true && event.type === "session.status" && event.status === "idle")
        void fallSilent(talk.session);
    },
    dispose: unsubscribe,
  } satisfies Part & Record<string, unknown>;
}

/** The brief as its specialist reads it, at the end of the user's first words. */
function frameBrief(brief: string): string {
  return `<gaia-talk>
The user speaks with you directly here, and goes back to GAIA, who plans this work, with /back. Answer them in plain words, without a contract. What the plugin knows of the work:
${brief}
</gaia-talk>`;
}

/** The facts of a return; at most some 4,000 characters. Pure. */
function renderReturn(
  { agent, said, work, isWorking }: Pick<Talk, "agent" | "said" | "work" | "isWorking">,
  last: string,
  isGone: boolean,
): string {
  const { files, omittedFiles } = work;
  const names = listed(files.map(renderDelta), MAX_RETURNED_FILES, omittedFiles);
  const stays = `${agent} is still at work there; what it changes now is told when it is done.`;
  return [
    `The user is back from ${agent}.`,
    `Changed there: ${names || "no file"}`,
    said.length === 0 ? "" : `The user said: ${said.map((each) => `“${each}”`).join(" · ")}`,
    isGone ? "Its session was deleted." : isWorking ? stays : "",
    last === "" ? "" : `${agent} said last: ${last.trim()}`,
  ]
    .filter(Boolean)
    .join("\n");
}
