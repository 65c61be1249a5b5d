import { DEFAULT_KNOBS, isKnobValue, KNOBS, type Profile } from "../../config/knobs.ts";
import type { CollaborationDefaults } from "../collaboration/knobs.ts";
import type { CollaborationState } from "../collaboration/state.ts";
import type { ConversationCore } from "../core.ts";
import type { ConversationServices } from "../services.ts";
import type { Offer, OfferedQuestion } from "./questions.ts";

/** By this header the plugin knows its own question about how to work together, whatever else the model put into it. */
export const HANDSHAKE = "Collaboration";
const RAMP = "Pair ramp";
const PREFERRED = " (your default)";
const STAY = "Keep pairing";

/** In the order in which they are offered. */
const LABELS: Readonly<Record<Profile, string>> = {
  standard: "Standard",
  pair_live: "Pair Live",
  pair_batched: "Pair Batched",
  pair_ramp: "Pair Ramp",
  agentic_checkpoint: "Agentic + Check-ins",
  agentic_full: "Full Agentic",
};
const PROFILES = Object.keys(LABELS) as Profile[];

function optionOf(profile: Profile, mark = ""): OfferedQuestion["options"][number] {
  return { label: LABELS[profile] + mark, description: KNOBS.profile.values[profile].meaning };
}

/** Whether GAIA is told to ask: a mode that is configured says it already. */
export function isHandshakeDue(state: CollaborationState, { mode, startup }: CollaborationDefaults): boolean {
  return !state.ended && startup.askAtTaskStart && mode === DEFAULT_KNOBS.mode && state.handshake === "due";
}

type Asking = Pick<ConversationCore, "state" | "dispatch">;

/** What the plugin itself asks about the collaboration, where it may be asked now: the handshake once per request, the ramp after its warm-up. */
export function ownOffers(
  conversation: Asking,
  { defaults, host }: Pick<ConversationServices, "defaults" | "host">,
): Offer[] {
  const { startup } = defaults;
  const { state, dispatch } = conversation;
  const isWarm = state.knobs.profile === "pair_ramp" && state.rampBatches >= startup.rampWarmupBatches;
  const choose = (value: Profile): void => dispatch({ type: "command", change: { knob: "profile", value } });
  const ramp: Offer = {
    ...oneQuestion(RAMP, "The first batches are done. Keep pairing, or let GAIA go on by itself?", [
      { label: STAY, description: "Go on as now, one batch at a time." },
      optionOf("agentic_checkpoint"),
      optionOf("agentic_full"),
    ]),
    async settle(answers) {
      // Whatever they say, they have looked at the batch.
      if (conversation.state.pause !== null) dispatch({ type: "next" });
      const profile = parseProfile(answers);
      if (profile !== null) choose(profile);
      return "";
    },
  };
  // Always these six, the configured one first.
  const others = PROFILES.filter((name) => name !== startup.defaultProfile);
  const handshake: Offer = {
    ...oneQuestion(
      HANDSHAKE,
      "How do you want to work together on this? Slash commands change it at any time.",
      [optionOf(startup.defaultProfile, PREFERRED), ...others.map((name) => optionOf(name))],
    ),
    async settle(answers) {
      const profile = parseProfile(answers);
      if (profile !== null) choose(profile);
      else {
        dispatch({ type: "handshake-closed", isAnswered: true });
        const stays = `GAIA stays with ${conversation.state.knobs.profile}. /profile changes it.`;
        void host.toast("info", `No profile in that answer; ${stays}`);
      }
      return "";
    },
    dismissed: () => dispatch({ type: "handshake-closed", isAnswered: false }),
  };
  return [...(state.handshake === "due" ? [handshake] : []), ...(isWarm ? [ramp] : [])];
}

function oneQuestion(header: string, question: string, options: OfferedQuestion["options"]) {
  return { header, questions: [{ header, question, options, multiple: false }] };
}

/** The profile that the user chose, also in their own spelling. null for a sentence: it must not hand over control. */
export function parseProfile(answers: readonly (readonly string[])[]): Profile | null {
  const given = answers[0] ?? [];
  if (given.length !== 1) return null;
  const text = plain(given[0] ?? "");
  const offered = PROFILES.find((name) => plain(LABELS[name]) === text);
  if (offered !== undefined) return offered;
  const name = text.replaceAll(" ", "_");
  return isKnobValue("profile", name) ? name : null;
}

function plain(text: string): string {
  return text
    .replace(PREFERRED, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
}
