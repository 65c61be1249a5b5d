import type { CollaborationDefaults } from "../collaboration/knobs.ts";
import { recordOf, textOf } from "../../lib/json.ts";
import type { Conversation } from "../conversation.ts";
import type { QuestionPurpose } from "../collaboration/events.ts";
import { refuse, type Refusal } from "../../lib/refusal.ts";
import type { AskedQuestion } from "./offers.ts";
import { DEFAULT_KNOBS, isKnobValue, type Profile } from "../../config/knobs.ts";
import type { CollaborationState } from "../collaboration/state.ts";

/** By this the plugin knows its own question, whatever else the model put into it. */
const HANDSHAKE_HEADER = "Collaboration";

/**
 * Registers questions that a model is about to put. The plugin's own words replace the model's for a handshake and the ramp, and
 * stand first. @returns the questions to ask instead, null to leave the model's; a refusal where nothing is left to ask
 */
export function openQuestion(
  conversation: Pick<Conversation, "state" | "dispatch">,
  callId: string,
  questions: readonly AskedQuestion[],
  defaults: CollaborationDefaults,
): readonly AskedQuestion[] | null | Refusal {
  const { state } = conversation;
  const own = (["handshake", "ramp"] as const)
    .filter((purpose) => questions.some((each) => purposeOf(each) === purpose))
    .map((purpose) => ({ purpose, args: ownQuestion(state, purpose, defaults) }))
    .find(({ args }) => args !== null);
  const others = questions.filter((each) => {
    const purpose = purposeOf(each);
    return purpose !== own?.purpose && purpose !== "handshake";
  });
  const asked = [...(own?.args?.questions ?? []), ...others];
  if (asked.length === 0 && questions.length > 0) {
    const { profile, mode } = state.knobs;
    return refuse(
      `Refused: the user has said how to work together (${profile}, ${mode}).`,
      "Go on; commands of theirs change it.",
    );
  }
  conversation.dispatch({
    type: "question-asked",
    requestId: callId,
    purpose: own?.purpose ?? "other",
    questions: asked.map((each) => textOf(each.question) ?? ""),
  });
  return own === undefined && asked.length === questions.length ? null : asked;
}

export function isOrdinary(questions: readonly AskedQuestion[]): boolean {
  return questions.every((each) => purposeOf(each) === "other");
}

function purposeOf({ header }: AskedQuestion): QuestionPurpose {
  return purposeOfQuestion(textOf(header) ?? "");
}

function ownQuestion(
  state: Conversation["state"],
  purpose: "handshake" | "ramp",
  defaults: CollaborationDefaults,
): QuestionArgs | null {
  if (purpose === "handshake") return state.handshake === "due" ? handshakeQuestion(defaults) : null;
  return state.knobs.profile === "pair_ramp" && state.ramp.asked ? rampQuestion() : null;
}

const ASK = `call question with header "${HANDSHAKE_HEADER}" (the plugin fills in the rest)`;
const HINT = `If this needs a plan: first ${ASK}.`;
const REMINDER = `This is new work, and the user has not said yet how to work together on it: ${ASK} before anything changes.`;
/** Operations of `plan_gaia` with which work begins, however quick GAIA was to forget the hint. */
const BEGINNING = new Set(["create_work_unit", "set_active", "open_wave"]);

export type Handshake = ReturnType<typeof createHandshake>;

/** What GAIA is told about the handshake (SPEC 8): in OpenCode, nobody but she can raise a question. */
export function createHandshake(defaults: CollaborationDefaults) {
  const isOpen = async ({ state, canAsk }: Conversation): Promise<boolean> =>
    isHandshakeDue(state, defaults) && (await canAsk()) === true;
  return {
    hint: async (conversation: Conversation): Promise<string[]> =>
      (await isOpen(conversation)) ? [HINT] : [],
    /** For the call with which she began work without asking. No refusal: without a handshake every change is asked for. */
    async remind(conversation: Conversation, tool: string, args: unknown): Promise<string[]> {
      const begins = tool === "plan_gaia" && BEGINNING.has(textOf(recordOf(args)["op"]) ?? "");
      return begins && (await isOpen(conversation)) ? [REMINDER] : [];
    },
  };
}

interface QuestionArgs {
  readonly questions: readonly {
    readonly question: string;
    readonly header: string;
    readonly options: readonly { readonly label: string; readonly description: string }[];
    readonly multiple: false;
  }[];
}

const RAMP_HEADER = "Pair ramp";
const PREFERRED = " (your default)";
const STAY = "Keep pairing";

const OFFERS: Readonly<Record<Profile, { readonly label: string; readonly description: string }>> = {
  standard: {
    label: "Standard",
    description: "I approve the plan and each wave; report after each wave.",
  },
  pair_live: {
    label: "Pair Live",
    description: "Stop after every change; I look at each one and steer.",
  },
  pair_batched: {
    label: "Pair Batched",
    description: "Ask before changing things; stop after each specialist's batch.",
  },
  pair_ramp: {
    label: "Pair Ramp",
    description: "Begin as Pair Batched; after a few batches I decide whether to let go.",
  },
  agentic_checkpoint: {
    label: "Agentic + Check-ins",
    description: "Work without asking and report after each wave.",
  },
  agentic_full: {
    label: "Full Agentic",
    description: "Work through without asking; report at milestones.",
  },
};

export function isHandshakeDue(state: CollaborationState, defaults: CollaborationDefaults): boolean {
  const isSaid = defaults.mode !== DEFAULT_KNOBS.mode || state.handshake !== "due";
  return !state.ended && defaults.startup.askAtTaskStart && !isSaid;
}

/** The handshake as the question tool takes it: always these six, the configured one first. */
export function handshakeQuestion(defaults: CollaborationDefaults): QuestionArgs {
  const { defaultProfile } = defaults.startup;
  const names = (Object.keys(OFFERS) as Profile[]).toSorted(
    (a, b) => Number(b === defaultProfile) - Number(a === defaultProfile),
  );
  const options = names.map((name) => {
    const { label, description } = OFFERS[name];
    return { label: name === defaultProfile ? label + PREFERRED : label, description };
  });
  const question = "How do you want to work together on this? Slash commands change it at any time.";
  return { questions: [{ question, header: HANDSHAKE_HEADER, options, multiple: false }] };
}

export function rampQuestion(): QuestionArgs {
  const stay = { label: STAY, description: "Go on as now, one batch at a time." };
  const options = [stay, OFFERS.agentic_checkpoint, OFFERS.agentic_full];
  const question = "The first batches are done. Keep pairing, or let GAIA go on by herself?";
  return { questions: [{ question, header: RAMP_HEADER, options, multiple: false }] };
}

export function purposeOfQuestion(header: string): QuestionPurpose {
  if (header === HANDSHAKE_HEADER) return "handshake";
  return header === RAMP_HEADER ? "ramp" : "other";
}

/** The profile that the user chose, also in their own spelling. null for a sentence: it must not hand over control. */
export function parseHandshakeAnswer(answers: readonly (readonly string[])[]): Profile | null {
  const given = answers[0] ?? [];
  if (given.length !== 1) return null;
  const text = plain(given[0] ?? "");
  const offered = (Object.keys(OFFERS) as Profile[]).find((name) => plain(OFFERS[name].label) === text);
  if (offered !== undefined) return offered;
  const name = text.replaceAll(" ", "_");
  return isKnobValue("profile", name) ? name : null;
}

/** The answer to pair_ramp's question: a profile to switch to, `stay`, or null for words of the user's own. */
export function parseRampAnswer(answers: readonly (readonly string[])[]): Profile | "stay" | null {
  const given = answers[0] ?? [];
  if (given.length === 1 && plain(given[0] ?? "") === plain(STAY)) return "stay";
  return parseHandshakeAnswer(answers);
}

function plain(text: string): string {
  return text
    .replace(PREFERRED, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
}
