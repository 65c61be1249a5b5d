import {
  HANDSHAKE_HEADER,
  isHandshakeDue,
  handshakeQuestion,
  purposeOfQuestion,
  rampQuestion,
  type QuestionArgs,
} from "../collaboration/handshake.ts";
import type { CollaborationDefaults } from "../collaboration/defaults.ts";
import { recordOf, textOf } from "../../lib/json.ts";
import type { Conversation } from "../conversation.ts";
import type { QuestionPurpose } from "../collaboration/events.ts";
import { refuse, type Refusal } from "../../lib/refusal.ts";
import type { AskedQuestion } from "./offers.ts";

/**
 * Registers questions that a model is about to put to the user. A handshake and pair_ramp's question are the plugin's
 * own: their words take the place of the model's, so that the user answers what will really be done, and stand first; what
 * the model asks beside them follows. A handshake that was answered is not put to the user once more.
 * @returns the questions to ask instead, null to leave the model's; a refusal where nothing is left to ask
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

/** Whether a model asks something of its own, and not one of the questions of which the plugin has the words. */
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

/** What GAIA is told about the handshake (SPEC 8): in OpenCode, nobody but she can raise a question. */
export interface Handshake {
  /** For the end of a user's message. */
  hint(conversation: Conversation): Promise<string[]>;
  /**
   * For the result of a call with which she began work without asking. It is no refusal: without a handshake every
   * change is asked for by itself, so that a question which never comes hands over nothing and holds up nothing.
   */
  remind(conversation: Conversation, tool: string, args: unknown): Promise<string[]>;
}

export function createHandshake(defaults: CollaborationDefaults): Handshake {
  const isOpen = async ({ state, canAsk }: Conversation): Promise<boolean> =>
    isHandshakeDue(state, defaults) && (await canAsk()) === true;
  return {
    hint: async (conversation) => ((await isOpen(conversation)) ? [HINT] : []),
    async remind(conversation, tool, args) {
      const begins = tool === "plan_gaia" && BEGINNING.has(textOf(recordOf(args)["op"]) ?? "");
      return begins && (await isOpen(conversation)) ? [REMINDER] : [];
    },
  };
}
