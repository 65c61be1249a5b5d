import type { CheckSuggestion } from "../../checks/definition-of-done/suggest.ts";
import { describeError, refuse, type Refusal } from "../../lib/error.ts";
import { textOf } from "../../lib/json.ts";
import { isShownWhole } from "../../project/adopt-checks.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import { createAssumptions } from "./assumptions.ts";
import { HANDSHAKE, isHandshakeDue, ownOffers } from "./handshake.ts";

export type AskedQuestion = { readonly header?: unknown; readonly question?: unknown };

export interface OfferedQuestion {
  readonly header: string;
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
  readonly multiple: boolean;
}

/** Something that only the user decides and the plugin then does: only a model can raise a question, but the words are the plugin's. */
export interface Offer {
  readonly header: string;
  readonly questions: readonly OfferedQuestion[];
  /** Does what the user chose. @param answers the chosen labels, per question @returns sentences for the model: what was done; empty for what it sees */
  settle(answers: readonly (readonly string[])[]): Promise<string>;
  /** The question was closed without an answer. */
  dismissed?(): void;
}

/** As many as one question of OpenCode's shows well. */
const MAX_QUESTIONS = 4;
/** Checks that are offered at once; `/gaia-init` lets the user choose among more. */
const MOST_CHECKS = 4;
/** Where it is remembered that the user said no to them, in their own data for this project. */
const KEPT = "checks-offer";

const ASK = `call question with header "${HANDSHAKE}" (the plugin fills in the rest)`;
const HINT = `If this needs a plan: first ${ASK}.`;
const REMINDER = `This is new work, and the user has not said yet how to work together on it: ${ASK} before anything changes.`;
const NO_QUESTIONS =
  "There is no question tool in this client: what you would ask with it, ask in your answer, and end your turn.";
/** Operations of `plan_gaia` with which work begins. */
const BEGINNING = new Set(["create_work_unit", "set_active", "open_wave"]);

/** What the user is asked in a conversation, in the plugin's words: how to work together, what was assumed, what commands and the project offer. */
export function createQuestions(
  conversation: Pick<
    ConversationCore,
    "state" | "canAsk" | "canQuestion" | "dispatch" | "outbox" | "tell" | "remember"
  >,
  services: Pick<ConversationServices, "verifier" | "workStore" | "host" | "defaults">,
) {
  const { verifier, workStore, host, defaults } = services;
  const assumptions = createAssumptions(conversation, host.client !== "editor");
  let offers: readonly Offer[] = [];
  /** By call, what of the plugin's is asked in it, and from which question on. */
  const asked = new Map<string, readonly { readonly offer: Offer; readonly from: number }[]>();
  let areChecksOffered = false;
  const isAsking = (header: string): boolean =>
    [...asked.values()].flat().some(({ offer }) => offer.header === header);
  const take = (callId: string) => {
    const found = asked.get(callId) ?? [];
    asked.delete(callId);
    return found;
  };

  return {
    ...assumptions,
    put(offer: Offer): void {
      offers = [...offers.filter(({ header }) => header !== offer.header), offer];
    },
    /**
     * Registers the questions of a call that a model is about to put. What is named by its header comes first in the plugin's
     * words, assumptions behind GAIA's own questions.
     * @returns what to ask instead, null to leave the model's; a refusal where nothing is left to ask
     */
    open(
      callId: string,
      questions: readonly AskedQuestion[],
      isGaias: boolean,
    ): readonly AskedQuestion[] | null | Refusal {
      const headers = new Set(questions.map(({ header }) => textOf(header)));
      const known = [...ownOffers(conversation, services), ...offers, ...assumptions.offer(MAX_QUESTIONS)];
      const named = known.filter(({ header }) => headers.has(header) && !isAsking(header));
      const others = questions.filter(
        ({ header }) => header !== HANDSHAKE && known.every((offer) => offer.header !== header),
      );
      const hasRoom = isGaias && named.length === 0 && others.length > 0;
      const room = hasRoom ? MAX_QUESTIONS - others.length : 0;
      const behind = assumptions.offer(room).filter(({ header }) => !isAsking(header));
      const texts = (list: readonly Offer[]): readonly AskedQuestion[] =>
        list.flatMap((offer) => offer.questions);
      const put = [...texts(named), ...others, ...texts(behind)];
      if (put.length === 0 && questions.length > 0) {
        const { profile, mode } = conversation.state.knobs;
        if (questions.some(({ header }) => isAsking(textOf(header) ?? "")))
          return refuse("Refused: the user is being asked this.", "Wait for their answer.");
        return refuse(
          `Refused: the user has said how to work together (${profile}, ${mode}).`,
          "Go on; commands of theirs change it.",
        );
      }
      const mine = [...named, ...behind].map((offer) => ({
        offer,
        from: put.findIndex((each) => each === offer.questions[0]),
      }));
      if (mine.length > 0) asked.set(callId, mine);
      conversation.dispatch({
        type: "question-asked",
        requestId: callId,
        questions: put.map(({ question }) => textOf(question) ?? ""),
      });
      return mine.length === 0 && put.length === questions.length ? null : put;
    },
    /** Settles what a call's answer was about. @returns what the model is told of it; mostly empty */
    async close(callId: string, answers: readonly (readonly string[])[]): Promise<string> {
      const told: string[] = [];
      for (const { offer, from } of take(callId)) {
        offers = offers.filter(({ header }) => header !== offer.header);
        // What the model asks beside it is for the model.
        told.push(await offer.settle(answers.slice(from, from + offer.questions.length)));
      }
      return told.filter(Boolean).join(" ");
    },
    /**
     * What GAIA is told about the handshake (SPEC 8): in OpenCode, only a model can raise a question.
     * @param op the operation of `plan_gaia` that began work without it; none for a message of the user's
     */
    handshakeHint: async (op?: string): Promise<string[]> => {
      if (op !== undefined && !BEGINNING.has(op)) return [];
      const isOpen = isHandshakeDue(conversation.state, defaults) && !isAsking(HANDSHAKE);
      if (isOpen && op === undefined && host.client === "editor") return [NO_QUESTIONS];
      const isDue = isOpen && (await conversation.canQuestion());
      return !isDue ? [] : [op === undefined ? HINT : REMINDER];
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
    /** Whether this was never told in the project; from now on it was. */
    async isNews(name: string): Promise<boolean> {
      const { told } = await workStore.load(name);
      workStore.save(name, () => ({ told: true }));
      return told !== true;
    },
    declineChecks(): void {
      workStore.save(KEPT, () => ({ declined: true }));
    },
    heard(event) {
      assumptions.heard();
      // As if it had not been asked.
      if (event.type === "aborted" || event.type === "taken-back") asked.clear();
      if (event.type === "question-dismissed")
        for (const { offer } of take(event.requestId)) offer.dismissed?.();
    },
  } satisfies Part & Record<string, unknown>;
}
