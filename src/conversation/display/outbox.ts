import type { ShownActivity } from "../collaboration/activity.ts";
import type { Host, Speaker } from "../../host/port.ts";
import type { Clock } from "../../lib/async.ts";
import { plainText } from "../../lib/markdown.ts";
import type { Redactor } from "../../lib/redaction.ts";
import { describeError } from "../../lib/error.ts";

/** Toasts about what happens: at most one in this many milliseconds, with at most this many lines. */
const TOAST_GAP_MS = 2_500;
const TOAST_LINES = 4;
/** Lines of passing activity that one note holds. */
const MAX_LINES = 20;

/**
 * Everything that one conversation shows to its user, token-free (SPEC 8, "Visibility").
 * @param speaker whom the conversation is with at the moment
 * @param isBusy whether a turn runs there, or is about to, or whatever is written would do harm
 * @param redact what is written keeps no secret, no matter who gave it
 */
export function createOutbox(
  host: Host,
  clock: Clock,
  sessionId: string,
  speaker: () => Speaker,
  isBusy: () => boolean,
  redact: Redactor,
) {
  let toastedAt = Number.NEGATIVE_INFINITY;
  let untoasted: string[] = [];
  let cancel: () => void = () => undefined;
  /** What the next note holds, in the order in which it happened; a text is made when it is written. */
  let entries: ((() => Promise<string>) | ShownActivity)[] = [];
  let order: Promise<void> = Promise.resolve();
  let writing: Promise<void> = Promise.resolve();

  const toastLines = (): void => {
    cancel();
    if (untoasted.length === 0) return;
    const waitMs = toastedAt + TOAST_GAP_MS - clock.now();
    if (waitMs > 0) {
      cancel = clock.after(waitMs, toastLines);
      return;
    }
    const dropped = untoasted.length - TOAST_LINES;
    const shown = [...(dropped > 0 ? [`… ${dropped} more`] : []), ...untoasted.slice(-TOAST_LINES)];
    untoasted = [];
    toastedAt = clock.now();
    // A toast never rejects.
    void host.toast("info", shown.join("\n"));
  };

  const send = async (text: string, since: number): Promise<void> => {
    try {
      await host.sessions.note(sessionId, speaker(), text, since);
    } catch (error) {
      host.logger.log("warn", "outbox", `A note was lost: ${describeError(error)}`, { sessionId });
    }
  };

  const write = async (since: number, isInCall: boolean): Promise<void> => {
    const waiting = entries;
    const given = await Promise.all(
      waiting.map(async (entry) => (typeof entry === "function" ? entry() : entry)),
    );
    // Whether a turn runs is asked last: one may have begun while the text was made.
    if (!isInCall && isBusy()) return;
    entries = entries.filter((entry) => !waiting.includes(entry));
    const passing = given.filter((entry) => typeof entry !== "string" && !entry.isKept);
    const dropped = new Set(passing.slice(0, Math.max(0, passing.length - MAX_LINES)));
    let text = dropped.size > 0 ? `… ${dropped.size} more` : "";
    let isLine = true;
    for (const entry of given.filter((each) => each !== "" && !dropped.has(each))) {
      const wasLine = isLine;
      isLine = typeof entry !== "string";
      const gap = text === "" ? "" : wasLine && isLine ? "\n" : "\n\n";
      text += gap + (typeof entry === "string" ? entry : entry.line);
    }
    if (text === "") return;
    writing = send(text, since);
    await writing;
  };

  /** One after the other, so that notes stand in the order in which they were written. */
  const flush = async (isInCall: boolean): Promise<void> => {
    const since = clock.now();
    order = order.then(async () => write(since, isInCall));
    await order;
  };

  const readable = (text: string): string => {
    const told = redact(plainText(text));
    // Where a turn is all that there is, its end is too late: lines of what has happened since would come first.
    host.oneShot?.print(told.includes("\n") ? `${told}\n` : told);
    return told;
  };

  return {
    /** Puts text into the next note, which waits for it. @param text of what is known only when it is written; must not reject */
    note(text: string | (() => Promise<string>)): void {
      const make = async (): Promise<string> => readable(typeof text === "string" ? text : await text());
      const made = typeof text === "string" || host.oneShot !== null ? make() : null;
      entries.push(async () => made ?? make());
    },
    /** One line about what happens: a toast when one is due, at once for what went wrong, and a line of the next note. */
    activity(given: ShownActivity): void {
      const shown = { ...given, line: redact(given.line) };
      const { line, inTranscript, toast } = shown;
      host.oneShot?.print(line);
      if (inTranscript) entries.push(shown);
      if (toast === "info") {
        untoasted.push(line);
        toastLines();
      } else if (toast !== null) void host.toast(toast, line);
    },
    /**
     * Writes the note if no turn runs; else it comes with the end of a call or of the turn. OpenCode answers a message that
     * comes during a model's last words with another request, even if nothing in it is for the model.
     */
    flush: async (): Promise<void> => flush(false),
    /** Writes the note, turn or not: for a call of the conversation's own that waits for it, after which a request follows anyway. */
    flushInCall: async (): Promise<void> => flush(true),
    /** Settles once what is being written has been, whether or not OpenCode took it. */
    written: async (): Promise<void> => writing,
    dispose(): void {
      cancel();
    },
  };
}
