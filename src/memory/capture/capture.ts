import type { ResolvedConfig } from "../../config/schema.ts";
import type { Clock } from "../../lib/clock.ts";
import { describeError } from "../../lib/error.ts";
import type { Logger } from "../../lib/logger.ts";
import { findCorrection } from "./correction.ts";
import { findQuestion } from "./question.ts";
import type { Observations } from "../../workspace/documents/proposals.ts";

/** How often a question comes before it is proposed; with `low` what people write is not looked at. */
const ASKED_OFTEN = { low: 0, medium: 3, high: 2 } as const;
/** More than this in one stretch is noise: the rest of it is dropped. */
const MAX_WAITING = 30;

/**
 * Notices what may be worth remembering and proposes it (SPEC 10). Every call returns at once; writing happens later, in one
 * go, and a failure to write is only logged.
 * @param noting `debounceMs`: how long observations are gathered before they are written together
 */
export function createCapture(
  observe: (observations: Observations) => Promise<{ ok: boolean; error?: string }>,
  { debounceMs, sensitivity }: Pick<ResolvedConfig["capture"], "debounceMs" | "sensitivity">,
  clock: Clock,
  logger: Logger,
) {
  let learnings: Observations["learnings"] = [];
  let questions: Observations["questions"] = [];
  let cancel: (() => void) | null = null;
  let writing: Promise<void> = Promise.resolve();
  let reading: Promise<void> = Promise.resolve();

  const report = (error: unknown): void => {
    logger.log("warn", "capture", describeError(error));
  };
  const write = async (): Promise<void> => {
    cancel?.();
    cancel = null;
    const observations = { learnings, questions, askedOften: ASKED_OFTEN[sensitivity] };
    if (learnings.length + questions.length === 0) return;
    learnings = [];
    questions = [];
    try {
      const result = await observe(observations);
      if (!result.ok) logger.log("warn", "capture", result.error ?? "");
    } catch (error) {
      report(error);
    }
  };
  const schedule = (): void => {
    cancel?.();
    cancel = clock.after(debounceMs, () => {
      writing = write();
    });
  };
  const propose = (kind: "correction" | "insight", text: string): void => {
    if (learnings.length < MAX_WAITING) learnings = [...learnings, { kind, text }];
    schedule();
  };

  const read = (text: string, answered: boolean): void => {
    const correction = findCorrection(text, answered);
    if (correction !== null) propose("correction", correction);
    const question = findQuestion(text);
    if (question === null || questions.length >= MAX_WAITING) return;
    questions = [...questions, question];
    schedule();
  };

  return {
    /** A message of the user; `answered` tells whether an answer came before it. Never rejects; nobody has to wait for it. */
    async message(text: string, answered: boolean): Promise<void> {
      if (sensitivity !== "low") reading = reading.then(async () => read(text, answered)).catch(report);
      return reading;
    },
    /** What facts of a conversation have shown, as one sentence. */
    propose,
    /** Writes now what waits, for the end of the process. */
    async flush(): Promise<void> {
      await reading;
      await writing;
      await write();
    },
  };
}
