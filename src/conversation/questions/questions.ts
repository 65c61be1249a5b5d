import type { CollaborationDefaults } from "../collaboration/defaults.ts";
import {
  handshakeQuestion,
  purposeOfQuestion,
  rampQuestion,
  type QuestionArgs,
} from "../collaboration/handshake.ts";
import type { QuestionPurpose } from "../collaboration/events.ts";
import { textOf } from "../../lib/json.ts";
import { refuse, type Refusal } from "../../lib/refusal.ts";
import type { Conversation } from "../conversation.ts";
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
