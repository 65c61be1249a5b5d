import type { CheckSuggestion } from "../../checks/definition-of-done/suggest.ts";
import { describeError, refuse, type Refusal } from "../../lib/error.ts";
import { textOf } from "../../lib/json.ts";
import { isShownWhole } from "../../project/adopt-checks.ts";
import type { Power } from "../../trust/power.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import { createAssumptions } from "./assumptions.ts";
import { HEADERS, isHandshakeDue, type OfferedQuestion, ownQuestion } from "./handshake.ts";

export type AskedQuestion = { readonly header?: unknown; readonly question?: unknown };

/** Something that only the user decides and the plugin then does: only a model can raise a question, but the words are the plugin's. */
export interface Offer {
  readonly header: string;
  readonly questions: readonly OfferedQuestion[];
  /** Does what the user chose. @param answers the chosen labels, per question @returns sentences for the model: what was done */
  settle(answers: readonly (readonly string[])[]): Promise<string>;
}

/** As many as one question of OpenCode's shows well. */
const MAX_QUESTIONS = 4;
/** Checks that are offered at once; `/gaia-init` lets the user choose among more. */
const MOST_CHECKS = 4;
/** Where it is remembered that the user said no to them, in their own data for this project. */
const KEPT = "checks-offer";

const ASK = `call question with header "${HEADERS.handshake}" (the plugin fills in the rest)`;
const HINT = `If this needs a plan: first ${ASK}.`;
const REMINDER = `This is new work, and the user has not said yet how to work together on it: ${ASK} before anything changes.`;
/** Operations of `plan_gaia` with which work begins. */
const BEGINNING = new Set(["create_work_unit", "set_active", "open_wave"]);

/** What the user is asked in a conversation, in the plugin's words: how to work together, what was assumed, what commands and the project offer. */
export function createQuestions(
  conversation: Pick<ConversationCore, "state" | "canAsk" | "dispatch" | "outbox" | "tell" | "keep">,
  services: Pick<ConversationServices, "verifier" | "workStore" | "host" | "defaults">,
) {
  const { verifier, workStore, host, defaults } = services;
  const assumptions = createAssumptions(conversation);
  let offers: readonly Offer[] = [];
  const asked = new Map<string, { readonly offer: Offer; readonly from: number }>();
  let powers: readonly Power[] | null = null;
  let areChecksOffered = false;

  return {
    ...assumptions,
    put(offer: Offer): void {
      offers = [...offers.filter(({ header }) => header !== offer.header), offer];
    },
    /**
     * Registers the questions of a call that a model is about to put. Those for a handshake and the ramp come first; an offer is
     * known by its header and comes last, as assumptions do behind GAIA's own questions.
     * @returns what to ask instead, null to leave the model's; a refusal where nothing is left to ask
     */
    open(
      callId: string,
      questions: readonly AskedQuestion[],
      isGaias: boolean,
    ): readonly AskedQuestion[] | null | Refusal {
      const { state } = conversation;
      const headers = new Set(questions.map(({ header }) => textOf(header)));
      const purpose = (["handshake", "ramp"] as const).find(
        (each) => headers.has(HEADERS[each]) && ownQuestion(state, each, defaults) !== null,
      );
      const own = purpose === undefined ? null : ownQuestion(state, purpose, defaults);
      const isOrdinary = !headers.has(HEADERS.handshake) && !headers.has(HEADERS.ramp);
      const assumed = isGaias && isOrdinary ? assumptions.offer(MAX_QUESTIONS - questions.length) : [];
      const offer =
        [...offers, ...assumptions.offer(MAX_QUESTIONS)].find(({ header }) => headers.has(header)) ??
        assumed[0];
      const others = questions.filter(
        ({ header }) => header !== HEADERS.handshake && header !== own?.header && header !== offer?.header,
      );
      const before = own === null ? others : [own, ...others];
      const put = [...before, ...(offer?.questions ?? [])];
      if (put.length === 0 && questions.length > 0) {
        const { profile, mode } = conversation.state.knobs;
        return refuse(
          `Refused: the user has said how to work together (${profile}, ${mode}).`,
          "Go on; commands of theirs change it.",
        );
      }
      if (offer !== undefined) asked.set(callId, { offer, from: before.length });
      conversation.dispatch({
        type: "question-asked",
        requestId: callId,
        purpose: purpose ?? "other",
        questions: put.map(({ question }) => textOf(question) ?? ""),
      });
      const isUnchanged = own === null && offer === undefined && put.length === questions.length;
      return isUnchanged ? null : put;
    },
    /** Settles what a call's answer was about; null when it was about no offer. */
    async close(callId: string, answers: readonly (readonly string[])[]): Promise<string | null> {
      const found = asked.get(callId);
      asked.delete(callId);
      if (found === undefined) return null;
      const { offer, from } = found;
      offers = offers.filter(({ header }) => header !== offer.header);
      // What the model asks beside it is for the model.
      return offer.settle(answers.slice(from, from + offer.questions.length));
    },
    /**
     * What GAIA is told about the handshake (SPEC 8): in OpenCode, only a model can raise a question.
     * @param op the operation of `plan_gaia` that began work without it; none for a message of the user's
     */
    handshakeHint: async (op?: string): Promise<string[]> => {
      if (op !== undefined && !BEGINNING.has(op)) return [];
      const isDue = isHandshakeDue(conversation.state, defaults) && (await conversation.canAsk()) === true;
      return !isDue ? [] : [op === undefined ? HINT : REMINDER];
    },
    /** These are on the screen, by the user's own command: only they can be granted in the conversation. */
    showPowers(shown: readonly Power[]): void {
      powers = shown;
    },
    /** What is to be asked about, once; null when the user has not asked for it, or has said something else since. */
    takePowers(): readonly Power[] | null {
      const taken = powers;
      powers = null;
      return taken;
    },
    /** The checks that a project without any seems to have, once, when its first plan is about to be carried out. Never rejects. */
    async takeChecks(): Promise<readonly CheckSuggestion[]> {
      const { knobs, pause } = conversation.state;
      // In autopilot nobody waits to be asked.
      if (areChecksOffered || knobs.mode !== "supervised" || pause !== null) return [];
      areChecksOffered = true;
      try {
        if ((await conversation.canAsk()) === false) return [];
        const found = (await verifier.suggest()) ?? [];
        if (found.length === 0 || (await workStore.load(KEPT))["declined"] === true) return [];
        return found.filter(isShownWhole).slice(0, MOST_CHECKS);
      } catch (error) {
        host.logger.log("warn", "offers", describeError(error));
        return [];
      }
    },
    declineChecks(): void {
      workStore.save(KEPT, () => ({ declined: true }));
    },
    userSpoke() {
      powers = null;
    },
  } satisfies Part & Record<string, unknown>;
}
