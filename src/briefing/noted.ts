import { linesWithin } from "../lib/text.ts";
import { recordOf, type JsonRecord } from "../lib/json.ts";
import { MAKER_TITLE, RECON_TITLE, workTitle } from "../record/documents.ts";

/** What was found out about the project, what a maker says of their work, and what was done as the plugin saw it. */
export type NoteKind = "recon" | "maker" | "work";

/** How the titles of the log's sections begin that hold it; those of work that no historian has put into words. */
export const NOTE_TITLES: Readonly<Record<NoteKind, string>> = {
  recon: RECON_TITLE,
  maker: MAKER_TITLE,
  work: workTitle(""),
};

/** What the record of the work holds already, and what helps nobody later. */
const LEFT_OUT = new Set(["checks_run", "suggested_agents"]);
/** Of one delegation, in bytes. */
const MAX_TEXT = 2_400;

/** A contract's words, a line each; whole ones, as many as there is room for. */
export function renderNote(data: JsonRecord): string {
  const textsOf = (value: unknown): string[] => {
    if (typeof value === "string") return value.split("\n");
    if (Array.isArray(value)) return value.flatMap(textsOf);
    return Object.values(recordOf(value)).flatMap(textsOf);
  };
  const lines = Object.entries(data).flatMap(([key, value]) =>
    LEFT_OUT.has(key)
      ? []
      : textsOf(value)
          .filter((text) => text.trim() !== "")
          .map((text) => `- ${key.replaceAll("_", " ")}: ${text.trim()}`),
  );
  const whole = lines.join("\n");
  const kept = linesWithin(whole, MAX_TEXT);
  return kept === whole ? whole : `${kept}\n- and more, in the session of the task`;
}
