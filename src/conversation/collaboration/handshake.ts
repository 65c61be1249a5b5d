import type { CollaborationDefaults } from "./defaults.ts";
import type { QuestionPurpose } from "./events.ts";
import { DEFAULT_KNOBS, isKnobValue, type Profile } from "../../config/knobs.ts";
import type { CollaborationState } from "./state.ts";

/** Arguments of OpenCode's question tool. */
export interface QuestionArgs {
  readonly questions: readonly {
    readonly question: string;
    readonly header: string;
    readonly options: readonly { readonly label: string; readonly description: string }[];
    readonly multiple: false;
  }[];
}

/** By this the plugin knows its own question, whatever else the model put into it. */
export const HANDSHAKE_HEADER = "Collaboration";
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

/**
 * Whether the handshake is still to come: it is not switched off, and the user has said neither here nor by a configured
 * mode how to work together (SPEC 8).
 */
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

/** pair_ramp's question after the warm-up. */
export function rampQuestion(): QuestionArgs {
  const stay = { label: STAY, description: "Go on as now, one batch at a time." };
  const options = [stay, OFFERS.agentic_checkpoint, OFFERS.agentic_full];
  const question = "The first batches are done. Keep pairing, or let GAIA go on by herself?";
  return { questions: [{ question, header: RAMP_HEADER, options, multiple: false }] };
}

/**
 * What a question is about, by its header. The model writes the arguments, so a hook that lets such a question pass puts
 * {@link handshakeQuestion} or {@link rampQuestion} in their place first: the user answers our words, not the model's.
 */
export function purposeOfQuestion(header: string): QuestionPurpose {
  if (header === HANDSHAKE_HEADER) return "handshake";
  return header === RAMP_HEADER ? "ramp" : "other";
}

/**
 * The profile that the user chose at the handshake, also in their own spelling ("pair live", "2", "agentic_full").
 * null for anything more than a name: a sentence that merely mentions a profile must not hand over control.
 */
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
