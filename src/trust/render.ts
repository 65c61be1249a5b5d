import type { Power } from "./power.ts";

/** Longer texts are no list that a person reads before saying yes; the command line shows them whole. */
const MAX_DIALOG = 6_000;
/** Powers that a note lists; the others are counted. */
const MAX_NOTED = 30;

const TERMINAL = "`opencode-gaia trust` in a terminal";

/** One line per power: where it stands, and what it does. */
export function renderPowers(powers: readonly Power[]): string {
  return powers.map(({ file, key, what }) => `- ${file}, ${key}: ${what}`).join("\n");
}

/** Whether a list is short enough to be read in a conversation, whole, before a dialog asks about it. */
export function fitsDialog(powers: readonly Power[]): boolean {
  return renderPowers(powers).length <= MAX_DIALOG;
}

/** What the user is told at the first message to GAIA, in a note; no model reads it. */
export function renderNotice(ungranted: readonly Power[], notices: readonly string[]): string {
  const more = ungranted.length - MAX_NOTED;
  return [
    ...(ungranted.length === 0
      ? []
      : [
          "This project's files ask for more than they get by themselves. Not in force, and nothing of it runs:",
          renderPowers(ungranted.slice(0, MAX_NOTED)),
          ...(more > 0 ? [`… and ${more} more.`] : []),
          `To say yes: /gaia-trust here, or ${TERMINAL}. Models, texts, denied tools and settings that only tighten are in force already; a specialist of the project's own that stands in this list only reads until then.`,
        ]),
    ...(notices.length === 0
      ? []
      : ["In force, for it is only text:", ...notices.map((line) => `- ${line}`)]),
  ].join("\n");
}

export function renderNoticeLine({ length }: readonly Power[]): string {
  return `This project asks for ${length} ${length === 1 ? "thing" : "things"} that you have not trusted yet. /gaia-trust shows and asks.`;
}

export const AFTER_GRANT =
  "Check commands count from now on, everything else with the next start of OpenCode. `opencode-gaia trust revoke` takes it back.";

/** What stands on the screen before the dialog asks. */
export function renderQuestion(ungranted: readonly Power[]): string {
  return [
    "This project's files ask for what follows, and get none of it so far. A dialog asks for your yes to exactly this, all of it:",
    renderPowers(ungranted),
    AFTER_GRANT,
    `One by one: ${TERMINAL}.`,
  ].join("\n");
}

/** For a list that is too long to be asked about in a dialog. */
export function renderTooLong({ length }: readonly Power[]): string {
  return `This project asks for ${length} things, more than can be shown here: ${TERMINAL} shows all of them and asks.`;
}

export function renderUntrusted(powers: readonly Power[]): string {
  return `Checks are configured and not trusted, so nothing was run:\n${renderPowers(powers)}\nThe user says yes with /gaia-trust, or ${TERMINAL}.`;
}
