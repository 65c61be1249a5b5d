import type { Offer, OfferedQuestion } from "../conversation/questions/questions.ts";
import { titleOf, waiting, type JudgedEntry } from "../record/knowledge.ts";
import { describeError, refuse } from "../lib/error.ts";
import { excerpt, visible } from "../lib/text.ts";
import { failureForPerson } from "../lib/for-person.ts";
import { personName } from "../lib/person.ts";
import { adoptChecks, isShownWhole } from "../project/adopt-checks.ts";
import type { Runtime } from "../runtime.ts";
import { agentName } from "../agents/registry.ts";
import { type CommandRun } from "./define.ts";

interface SetupStep {
  readonly question: OfferedQuestion;
  /** Does what was chosen. @returns what was done, one sentence; empty for nothing */
  settle(labels: readonly string[]): Promise<string>;
}

type PrepareStep = (runtime: Runtime) => Promise<SetupStep | null>;

const NONE = "None of them";
const MAX_LABEL = 70;

/** A question for some of a list. @param settle does what was picked; not called for an answer that decides nothing */
export function offerPicks<T>(
  header: string,
  question: string,
  items: readonly T[],
  show: (item: T) => Choice,
  settle: (answer: { readonly picked: readonly T[]; readonly left: readonly T[] }) => Promise<string>,
): SetupStep {
  const options = items.map((item, at) => {
    const { label, description } = show(item);
    return { label: `${at + 1}. ${excerpt(label, MAX_LABEL)}`, description };
  });
  const none = { label: NONE, description: "Nothing of this." };
  return {
    question: { header, question, options: [...options, none], multiple: true },
    async settle(labels) {
      const isPicked = (_item: T, at: number): boolean => labels.includes(options[at]?.label ?? "");
      const picked = items.filter(isPicked);
      if (picked.length === 0 && !labels.includes(NONE)) return "";
      return settle({ picked, left: items.filter((item, at) => !isPicked(item, at)) });
    },
  };
}

/** More at once nobody reads; the rest comes with the next `/gaia-init`. */
const MOST_ENTRIES = 6;
/** A yes is to what is shown: longer ones are decided on the command line, which shows all of it. */
const MAX_SHOWN = 600;

/** What was noticed or proposed counts only when the user says so. */
const prepareEntries: PrepareStep = async ({ knowledge }) => {
  const entries = await knowledge.all().catch(() => []);
  const open = waiting(entries).filter(({ body }) => body.length <= MAX_SHOWN);
  const shown = open.slice(0, MOST_ENTRIES);
  if (shown.length === 0) return null;
  return offerPicks(
    "Learnings",
    "What of this is so, for everyone who works here? What you leave out is rejected.",
    shown,
    ({ id, kind, standing, source, by, reason, body }) => ({
      label: titleOf({ body, id }),
      description: visible(
        [
          `${kind} ${id}`,
          source,
          standing === "unconfirmed" ? "its file says accepted" : `proposed by ${by || "somebody"}`,
          reason,
          body.replaceAll(/\s+/g, " "),
        ]
          .filter(Boolean)
          .join(" · "),
      ),
    }),
    async ({ picked, left }) => {
      const done = { accepted: 0, rejected: 0 };
      const failed: string[] = [];
      const settle = async (entry: JudgedEntry, status: keyof typeof done): Promise<void> => {
        try {
          await knowledge.settle({ entry, status, reason: "", by: personName() });
          done[status] += 1;
        } catch (error) {
          failed.push(` ${entry.id} was left as it is (${describeError(error)}).`);
        }
      };
      for (const entry of picked) await settle(entry, "accepted");
      for (const entry of left) await settle(entry, "rejected");
      return `Learnings: ${done.accepted} accepted in .gaia/knowledge, ${done.rejected} rejected.${failed.join("")}`;
    },
  );
};

const MOST_CHECKS = 8;

/** Checks that the project seems to have become its Definition of Done when the user picks them; none is run for it. */
const prepareChecks: PrepareStep = async (runtime) => {
  const found = (await runtime.verifier.suggest()) ?? [];
  const suggestions = found.filter(isShownWhole).slice(0, MOST_CHECKS);
  if (suggestions.length === 0) return null;
  return offerPicks(
    "Checks",
    "Nothing is configured that has to pass before work counts as done. Which of these should?",
    suggestions,
    ({ command, kind, source, cwd }) => ({
      label: command,
      description: `${kind}, from ${source}${cwd === undefined ? "" : `, run in ${cwd}`}`,
    }),
    async ({ picked }) => (picked.length === 0 ? "" : adoptChecks(runtime, picked)),
  );
};

type Choice = { readonly label: string; readonly description: string };

/** In the order in which they are asked, all in one question of OpenCode's. */
const STEPS: readonly PrepareStep[] = [prepareEntries, prepareChecks];

export const SETUP_HEADER = "GAIA setup";

export async function prepareSetup(runtime: Runtime): Promise<Offer | null> {
  const prepared = await Promise.all(STEPS.map(async (prepare) => prepare(runtime)));
  const steps = prepared.filter((step): step is SetupStep => step !== null);
  if (steps.length === 0) return null;
  return {
    header: SETUP_HEADER,
    questions: steps.map(({ question }) => question),
    async settle(answers) {
      const done: string[] = [];
      for (const [at, step] of steps.entries()) done.push(await step.settle(answers[at] ?? []));
      const told = done.filter((text) => text !== "");
      return `The plugin has done what the user chose. ${told.join(" ") || "They chose nothing."}`;
    },
  };
}

/** `/gaia-init`: creates the curated context, has the user decide on proposals, and lets GAIA fill the rest (SPEC 10). */
export const gaiaInit: CommandRun = async (argumentText, { conversation, runtime }) => {
  const { host, workspace } = runtime;
  const file = await workspace.createGaiaInit();
  if (!file.ok) return refuse(failureForPerson(file));
  await host.toast("success", `${file.path} ${file.created ? "was created" : "is there; it is kept"}.`);
  // `opencode run` has nobody to ask, and nothing is decided without an answer.
  const canQuestion = await conversation.canQuestion();
  const offer = canQuestion ? await prepareSetup(runtime) : null;
  if (offer !== null) conversation.parts.questions.put(offer);
  const ask =
    offer === null
      ? ""
      : `First call question with header "${SETUP_HEADER}" (the plugin fills in the rest, and does what is chosen). `;
  const about = argumentText.trim() === "" ? "" : ` The user adds: ${argumentText.trim()}`;
  return {
    forModel:
      `${file.path} ${file.created ? "was just created from its template" : "exists"}. ${ask}Read it, look at the project, then ` +
      `ask the user${canQuestion ? " with the question tool" : ""}, at most four questions, what belongs under its headings and is not there yet. ` +
      `Delegate to ${agentName("historian")} to write what the user said under the existing headings: short, true lines; lines of the user stay.` +
      about,
  };
};

/** `/gaia-init-deep [folder]`: writes what the code does not show into AGENTS.md files that the user picks. */
export const gaiaInitDeep: CommandRun = async (argumentText, { conversation, runtime }) => {
  if (conversation.state.knobs.mode === "locked") return refuse("The session is locked.");
  if (!(await conversation.canQuestion()))
    return refuse("Which files are written is picked in a dialog, and there is none here.");
  const { prepareDeepInit } = await import("./init-deep.ts");
  const offer = await prepareDeepInit(runtime, argumentText.trim());
  if (typeof offer === "string") return refuse(offer);
  conversation.parts.questions.put({
    ...offer,
    // The user may lock the session while the dialog is open.
    settle: async (answers) =>
      conversation.state.knobs.mode === "locked"
        ? "Nothing was written: the session is locked."
        : offer.settle(answers),
  });
  return {
    forModel: `Call question with header "${offer.header}" (the plugin fills in the rest, and writes what is chosen). Then say in one line what was done.`,
  };
};
