import type { Verifier } from "../../checks/verifier.ts";
import { describeError } from "../../lib/error.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { isRecord, listOf, numberOf, recordOf, textOf } from "../../lib/json.ts";
import { withNext } from "../../lib/sentence.ts";
import type { ConversationCore } from "../core.ts";
import type { LeftForUser } from "../left-for-user/left-for-user.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import { renderSummary } from "./render-summary.ts";

/** Of many messages the first says what it is about, and the newest where it went. */
const MAX_ASKED = 6;
const MAX_DECIDED = 8;
const MAX_KINDS = 20;
const MAX_TEXT = 200;

/** What a session has seen so far; what must outlive a crash. */
interface Seen {
  readonly asked: readonly string[];
  readonly done: Readonly<Record<string, number>>;
  readonly decided: readonly string[];
  readonly blocked: string;
}

const NOTHING: Seen = { asked: [], done: {}, decided: [], blocked: "" };

/**
 * Keeps the session's section in the unit's `sessions.md` as the session goes on, without a unit in that of the checkout once
 * something was done: what was asked, done, decided and left, from what the host knows and without a model. It is written at the end of each turn and of each delegation, so that it stands there
 * however the session ends.
 */
export interface SessionSummary extends Part {
  /** Resolves when everything is written that can be. */
  flush(): Promise<void>;
}

export function createSessionSummary(
  conversation: Pick<ConversationCore, "rootId" | "state" | "keep">,
  services: Pick<ConversationServices, "workspace" | "host" | "capture" | "redact"> & {
    readonly verifier: Pick<Verifier, "last">;
  },
  leftForUser: Pick<LeftForUser, "all">,
): SessionSummary {
  const { workspace, host, verifier, redact } = services;
  if (!services.capture.enabled || !services.capture.sessions) return { flush: async () => undefined };
  const { rootId: root } = conversation;
  let seen = NOTHING;
  let asking: ReadonlyMap<string, readonly string[]> = new Map();
  let unit = conversation.state.workUnit;
  let written = "";
  let writing: Promise<void> = Promise.resolve();

  const see = (more: Partial<Seen>): void => {
    seen = { ...seen, ...more };
    conversation.keep();
  };
  const write = async (slug: string | null, { asked, done, decided, blocked }: Seen): Promise<void> => {
    try {
      const plan = slug === null ? { ok: true as const, tasks: [] } : await workspace.readWorkUnit({ slug });
      if (!plan.ok) return;
      const tasks = plan.tasks.filter((task) => !task.done);
      const isAnything = slug !== null || decided.length > 0 || Object.keys(done).length > 0;
      const markdown = !isAnything
        ? ""
        : renderSummary({
            asked,
            done,
            decided,
            blocked,
            tasks: { done: plan.tasks.length - tasks.length, all: plan.tasks.length },
            open: tasks.map(({ number, text }) => `${number}. ${text}`),
            checks: verifier.last()?.summary ?? "",
            left: leftForUser.all,
          });
      if (markdown === "" || `${slug}\n${markdown}` === written) return;
      const result = await workspace.writeSession({ slug, root, markdown: redact(markdown) });
      if (result.ok) {
        // What stood there before the unit began stands in the unit now.
        if (slug !== null && (written === "" || written.startsWith("null\n")))
          await workspace.writeSession({ slug: null, root, markdown: "" });
        written = `${slug}\n${markdown}`;
      } else host.logger.log("warn", "session-summary", `${result.error} ${result.hint}`, { slug });
    } catch (error) {
      host.logger.log("warn", "session-summary", describeError(error), { slug });
    }
  };
  const schedule = (): void => {
    if (conversation.state.knobs.mode === "locked") return;
    const [slug, now] = [unit, seen];
    writing = writing.then(async () => write(slug, now));
  };

  return {
    async flush() {
      await writing;
    },
    heard(event) {
      switch (event.type) {
        case "user-message":
          return see({ asked: withNewest(seen.asked, excerpt(redact(event.text), MAX_TEXT)), blocked: "" });
        case "question-asked":
          asking = new Map([...asking, [event.requestId, event.questions] as const].slice(-MAX_DECIDED));
          return;
        case "question-answered": {
          const questions = asking.get(event.requestId) ?? [];
          const pairs = questions.map((text, at) => `${text} → ${(event.answers[at] ?? []).join(", ")}`);
          return see({
            decided: [...seen.decided, ...pairs.map((pair) => excerpt(redact(pair), MAX_TEXT))].slice(
              -MAX_DECIDED,
            ),
          });
        }
        case "blocked":
          return see({ blocked: excerpt(redact(withNext(event.reason, event.nextStep)), MAX_TEXT) });
        case "work-unit-changed":
          if (event.workUnit === unit) return;
          if (unit !== null) schedule();
          // What the next unit is for was said last.
          if (unit !== null) seen = { ...NOTHING, asked: seen.asked.slice(-1) };
          unit = event.workUnit;
          return schedule();
        case "turn-ended":
          return schedule();
        default:
      }
    },
    delegationFinished({ agent, status }) {
      const what = status === "completed" ? agent : `${agent} ${status}`;
      see({ done: bump(seen.done, what) });
      schedule();
    },
    snapshot: () => (seen.asked.length === 0 ? undefined : seen),
    restore(saved) {
      const { asked, done, decided, blocked } = recordOf(saved);
      const texts = (value: unknown): string[] => listOf(value).flatMap((each) => textOf(each) ?? []);
      seen = {
        asked: texts(asked).slice(0, MAX_ASKED),
        done: Object.fromEntries(
          Object.entries(isRecord(done) ? done : {})
            .slice(0, MAX_KINDS)
            .map(([what, count]) => [what, numberOf(count) ?? 1]),
        ),
        decided: texts(decided).slice(-MAX_DECIDED),
        blocked: textOf(blocked) ?? "",
      };
      schedule();
    },
  };
}

function withNewest(asked: readonly string[], text: string): readonly string[] {
  if (text === "" || asked.includes(text)) return asked;
  const [first, ...later] = [...asked, text];
  return first === undefined ? [] : [first, ...later.slice(1 - MAX_ASKED)];
}

function bump(done: Readonly<Record<string, number>>, what: string): Readonly<Record<string, number>> {
  if (!Object.hasOwn(done, what) && Object.keys(done).length >= MAX_KINDS) return done;
  return { ...done, [what]: (done[what] ?? 0) + 1 };
}
