import { createError, logFailure } from "../../lib/error.ts";
import { excerpt } from "../../lib/text.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import { leftOf } from "./render.ts";
import { changesOf, readLeft, type UnitSources } from "./unit-facts.ts";

/** Of many messages the first says what it is about, and the newest where it went. */
const MAX_ASKED = 6;
const MAX_DECIDED = 8;
const MAX_KINDS = 20;
const MAX_TEXT = 200;
const MAX_LINE = 160;
const MAX_LEFT = 5;

/** What a session has seen so far, and must outlive a crash. */
interface Seen {
  /** The user's messages; of many the first and the newest. */
  readonly asked: readonly string[];
  /** Delegations that came to an end, by who worked and how it ended. */
  readonly done: Readonly<Record<string, number>>;
  /** `question → answer`. */
  readonly decided: readonly string[];
}

const NOTHING: Seen = { asked: [], done: {}, decided: [] };

/**
 * Keeps the session's section in the unit's `sessions.md` as the session goes on: what was asked, done, decided and left, from what the host knows and without a model. It is
 * written at the end of each turn and of each delegation, so that it stands there however the session ends.
 */
export function createSessionSummary(
  conversation: ConversationCore,
  services: ConversationServices,
  parts: Pick<UnitSources, "learnings" | "ownWork" | "workRecord">,
): Part & Required<Pick<Part, "flush">> & { asked(): readonly string[] } {
  const { workspace, host, redact } = services;
  if (!services.capture.enabled || !services.capture.sessions)
    return { flush: async () => undefined, asked: () => [] };
  const { rootId: root } = conversation;
  const seen = conversation.remember("sessionSummary", NOTHING);
  let unit = conversation.state.workUnit;
  let written = "";
  let writing: Promise<void> = Promise.resolve();

  const see = (more: Partial<Seen>): void => {
    seen.now = { ...seen.now, ...more };
  };
  /** What was asked, done, decided and left, for the next session's reader; empty where nothing was. */
  const render = async (slug: string, { asked, done, decided }: Seen): Promise<string> => {
    const plan = await workspace.planStanding({ slug });
    if (!plan.ok || asked.length === 0) return "";
    const open = plan.tasks.filter((task) => !task.done);
    const { length: all } = plan.tasks;
    const work = Object.entries(done).map(([what, count]) => (count === 1 ? what : `${what} ×${count}`));
    const ticked = all === 0 ? [] : [`${all - open.length} of ${all} tasks`];
    const { pause } = conversation.state;
    const paths = (await changesOf(services, parts, slug, plan.base)).files.map(({ path }) => path);
    const tasks = conversation.tasks();
    const known = await readLeft(conversation, services, parts, { unit: slug, claims: [], paths, tasks });
    const { checks } = known;
    const left = [
      ...(pause?.reason === "blocked" ? [`BLOCKED: ${pause.detail}`] : []),
      ...leftOf(known),
      ...open.slice(0, MAX_LEFT).map(({ number, text }) => `${number}. ${text}`),
      ...(open.length > MAX_LEFT ? [`${open.length - MAX_LEFT} more tasks`] : []),
    ];
    const lines = [
      ...asked.map((text) => `- Asked: ${excerpt(text, MAX_TEXT)}`),
      `- Done: ${[...ticked, ...work].join(", ") || "nothing that was delegated"}`,
      ...(checks === "" ? [] : [`- Checks: ${excerpt(checks, MAX_LINE)}`]),
      ...decided.map((each) => `- Decided: ${excerpt(each, MAX_LINE)}`),
      `- Left: ${left.map((each) => excerpt(each, MAX_LINE)).join("; ") || "nothing"}`,
    ];
    return redact(lines.join("\n"));
  };
  const write = async (slug: string, facts: Seen): Promise<void> => {
    const markdown = await render(slug, facts);
    if (markdown === "" || `${slug}\n${markdown}` === written) return;
    const result = await workspace.writeSession({ slug, root, markdown });
    if (!result.ok) throw createError("session-summary", result.error, { hint: result.hint });
    written = `${slug}\n${markdown}`;
  };
  const schedule = (): void => {
    const [slug, now] = [unit, seen.now];
    if (slug === null || conversation.state.knobs.mode === "locked") return;
    writing = writing
      .then(async () => write(slug, now))
      .catch(logFailure(host.logger, "warn", "session-summary", { slug }));
  };

  schedule();
  return {
    /** The user's messages; of many the first and the newest. */
    asked: () => seen.now.asked,
    async flush() {
      await writing;
    },
    heard(event) {
      switch (event.type) {
        case "user-message":
          return see({ asked: withNewest(seen.now.asked, excerpt(redact(event.text), MAX_TEXT)) });
        case "work-unit-changed":
          if (event.workUnit === unit) return;
          schedule();
          // What the next unit is for was said last.
          if (unit !== null) seen.now = { ...NOTHING, asked: seen.now.asked.slice(-1) };
          unit = event.workUnit;
          return schedule();
        case "turn-ended":
          return schedule();
        default:
      }
    },
    decided({ type, question, answer }) {
      const pair = excerpt(redact(`${question} → ${answer}`), MAX_TEXT);
      if (type === "question") see({ decided: [...seen.now.decided, pair].slice(-MAX_DECIDED) });
    },
    delegationFinished({ agent, status }) {
      const what = status === "completed" ? agent : `${agent} ${status}`;
      const { [what]: before = 0, ...others } = seen.now.done;
      if (before > 0 || Object.keys(others).length < MAX_KINDS)
        see({ done: { ...seen.now.done, [what]: before + 1 } });
      schedule();
    },
  };
}

function withNewest(asked: readonly string[], text: string): string[] {
  if (text === "" || asked.includes(text)) return [...asked];
  const [first, ...later] = [...asked, text];
  return first === undefined ? [] : [first, ...later.slice(1 - MAX_ASKED)];
}
