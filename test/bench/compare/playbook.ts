import { isRecord, textOf, type JsonRecord } from "../../../src/lib/json.ts";
import { messagesOf, type RecordedRequest } from "../../../src/scripted-model/request.ts";
import { say, type Turn } from "../../../src/scripted-model/turn.ts";
import type { Contender, Job } from "./contenders.ts";
import { check, edits, FINDINGS, fix, type Given, look, partsIn, summarise } from "./work.ts";

/** What the user asks for; the words in brackets tell the scripted model which part of the work it plays. */
export const askForFeature = (count: number): string =>
  `[feature ${count}] Let every part of src check its input, and keep npm test green.`;
export const ASK_FOR_FIX = "[quick] Let part 0 of src check its input, and keep npm test green.";
export const ASK_FOR_ONE_DELEGATION = "[delegate] Look at the project.";

/**
 * The model's answer, told from the request alone: its bracket says the part, the number of answers so far the turn.
 * Everyone works file by file, a look and then an edit, so only what is around the work differs.
 */
export function createPlaybook(contender: Contender, directory: string): (request: RecordedRequest) => Turn {
  return ({ body, agent }) => {
    const messages = messagesOf(body).filter(({ role }) => role !== "system");
    const at = messages.findIndex((message) => message["role"] === "user" && markOf(message) !== null);
    if (at < 0) return say("Done.");
    const done = messages.slice(at + 1).filter(({ role }) => role === "assistant").length;
    return turnsFor(messages[at], agent, contender, directory)[done] ?? say("Done.");
  };
}

const MARK = /\[(feature|quick|delegate|answer|fix|read|write|check|record)(?: (\d+))?(?: (\d+))?\]/;
/** Tasks that GAIA's host words itself; a review lists the marks of others. */
const HOSTS = /^TASK: (Review wave|Record this work)/m;

/** The mark of the task itself, where a message says more than the task. */
function markOf(message: JsonRecord | undefined): readonly string[] | null {
  const text = textIn(message);
  const own = HOSTS.exec(text)?.[1];
  if (own !== undefined) return ["", own === "Review wave" ? "review" : "record"];
  return MARK.exec(text.slice(Math.max(0, text.indexOf("TASK:")))) ?? MARK.exec(text);
}

function textIn(message: JsonRecord | undefined): string {
  const content = message?.["content"];
  if (!Array.isArray(content)) return textOf(content) ?? "";
  return content
    .filter(isRecord)
    .map((piece) => textOf(piece["text"]) ?? "")
    .join("\n");
}

function turnsFor(message: JsonRecord | undefined, agent: string, contender: Contender, directory: string) {
  const [, what = "", from = "", to = ""] = markOf(message) ?? [];
  const finish = (job: Job, summary: string, hasChecked = false): Turn =>
    contender.finish(job, summary, { agent, hasChecked });
  switch (what) {
    case "feature":
      return contender.feature(Number(from), directory);
    case "quick":
      return contender.quickFix(directory);
    case "delegate":
      return [contender.delegate("read", "TASK: [answer] Look at the project.", 0), say("Done.")];
    case "answer":
      return [finish("read", FINDINGS)];
    case "fix":
      return [...fix(directory), finish("write", summarise(0, 1), true)];
    case "read":
      return [...look(directory), finish("read", FINDINGS)];
    case "write": {
      const { numbers, given } = taskOf(textIn(message), Number(from), Number(to));
      const summary = summarise(numbers.at(0) ?? 0, (numbers.at(-1) ?? 0) + 1);
      return [...edits(numbers, directory, given), finish("write", summary, !given.isChecked)];
    }
    case "review":
      return [look(directory)[1] ?? check(), finish("check", "Nothing is wrong.")];
    case "check":
      return [check(), finish("check", "npm test passes.", true)];
    default:
      return [finish("record", "The feature is built and checked.")];
  }
}

/** The parts that the mark says, else those that the task names; what it shows of them is not read again. */
function taskOf(task: string, from: number, to: number): { numbers: number[]; given: Given } {
  const named = partsIn(/^Its files: .*/m.exec(task)?.[0] ?? "");
  const shown = new Set((task.match(/^src\/part-\d+\.js$/gm) ?? []).flatMap(partsIn));
  return {
    numbers: to > 0 ? Array.from({ length: to - from }, (_, index) => from + index) : named,
    given: { shown, isChecked: task.includes("It is run for you") },
  };
}
