import type { CollaborationDefaults } from "../collaboration/defaults.ts";
import {
  handshakeQuestion,
  purposeOfQuestion,
  rampQuestion,
  type QuestionArgs,
} from "../collaboration/handshake.ts";
import type { QuestionPurpose } from "../collaboration/events.ts";
import { textOf } from "../../lib/json.ts";
import type { Conversation } from "../conversation.ts";
import type { AskedQuestion } from "./offers.ts";

/**
 * Registers a question that a model is about to put to the user. A handshake and pair_ramp's question are the plugin's
 * own: their words take the place of the model's, so that the user answers what will really be done.
 * @returns the questions to ask instead; null to leave the model's
 */
export function openQuestion(
  conversation: Conversation,
  callId: string,
  questions: readonly AskedQuestion[],
  defaults: CollaborationDefaults,
): QuestionArgs["questions"] | null {
  const purpose = purposeOfQuestion(textOf(questions[0]?.["header"]) ?? "");
  const own = ownQuestion(conversation, purpose, defaults)?.questions ?? null;
  const texts = (own ?? questions).map((each) => textOf(each.question) ?? "");
  conversation.dispatch({
    type: "question-asked",
    requestId: callId,
    purpose: own === null ? "other" : purpose,
    questions: texts,
  });
  return own;
}

/** Whether a model asks something of its own, and not one of the questions of which the plugin has the words. */
export function isOrdinary(questions: readonly AskedQuestion[]): boolean {
  return purposeOfQuestion(textOf(questions[0]?.["header"]) ?? "") === "other";
}

function ownQuestion(
  { state }: Conversation,
  purpose: QuestionPurpose,
  defaults: CollaborationDefaults,
): QuestionArgs | null {
  if (purpose === "handshake") return state.handshake === "due" ? handshakeQuestion(defaults) : null;
  const isRampDue = purpose === "ramp" && state.knobs.profile === "pair_ramp" && state.ramp.asked;
  return isRampDue ? rampQuestion() : null;
}
