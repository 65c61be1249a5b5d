import { DEFAULT_KNOBS, isKnobValue, KNOBS, type Profile } from "../../config/knobs.ts";
import type { CollaborationDefaults } from "../collaboration/knobs.ts";
import { type CollaborationState, isQuestionDue } from "../collaboration/state.ts";

export interface OfferedQuestion {
  readonly header: string;
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
  readonly multiple: boolean;
}

/** By these headers the plugin knows its own questions, whatever else the model put into them. */
export const HEADERS = { handshake: "Collaboration", ramp: "Pair ramp" };
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

export function isHandshakeDue(state: CollaborationState, defaults: CollaborationDefaults): boolean {
  const isSaid = defaults.mode !== DEFAULT_KNOBS.mode || !isQuestionDue(state, "handshake", defaults);
  return !state.ended && defaults.startup.askAtTaskStart && !isSaid;
}

/** The plugin's own question of this kind, where it may be asked now; null where not. */
export function ownQuestion(
  state: CollaborationState,
  purpose: keyof typeof HEADERS,
  defaults: CollaborationDefaults,
): OfferedQuestion | null {
  if (!isQuestionDue(state, purpose, defaults)) return null;
  const common = { header: HEADERS[purpose], multiple: false };
  if (purpose === "ramp") {
    const stay = { label: STAY, description: "Go on as now, one batch at a time." };
    const options = [stay, optionOf("agentic_checkpoint"), optionOf("agentic_full")];
    const question = "The first batches are done. Keep pairing, or let GAIA go on by itself?";
    return { ...common, question, options };
  }
  // Always these six, the configured one first.
  const { defaultProfile } = defaults.startup;
  const others = PROFILES.filter((name) => name !== defaultProfile).map((name) => optionOf(name));
  const question = "How do you want to work together on this? Slash commands change it at any time.";
  return { ...common, question, options: [optionOf(defaultProfile, PREFERRED), ...others] };
}

/** The profile that the user chose, also in their own spelling. null for a sentence: it must not hand over control. */
export function parseHandshakeAnswer(answers: readonly (readonly string[])[]): Profile | null {
  const given = answers[0] ?? [];
  if (given.length !== 1) return null;
  const text = plain(given[0] ?? "");
  const offered = PROFILES.find((name) => plain(LABELS[name]) === text);
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
