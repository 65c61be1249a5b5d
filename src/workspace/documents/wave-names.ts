import { foreignLine } from "../markdown/foreign-text.ts";

/** A wave as it is called. */
export interface WaveName {
  readonly id: string;
  readonly title: string;
}

/** A heading of a wave: `Wave 1: Limiter`, `**Wave w2** - API`, `1. Wave A`, `First wave`; phases only by a number, for other headings begin so as well. */
const WAVE =
  /^[^\p{L}\p{N}]*(?:\d{1,2}[.)]\s+)?(?:wave[ \t:#*_`]+([\w.-]*\w)|(?:phase|stage|milestone)[ \t:#*_`]+(\d+[a-z]?|[ivx]+|[a-f]|one|two|three|four|five|six)(?![\w'’])|(first|second|third|fourth|fifth|final|last)[ \t]+(?:wave|phase|stage)(?!\w))(.*)$/isu;
/** A phase is a wave only where nothing calls itself one. */
const CALLED_WAVE = /\bwave\b/i;
/** The name of a wave and what is said of it. */
const WAVE_NAME = /^[\s*_`"'#]*(?:(?:wave|phase|stage|milestone)[ \t:#*`]+)?([\w.-]*\w)(.*)$/is;

/** Whether a heading is that of a wave. @param isInside it stands below Tasks, or there are none */
export function headsWave(heading: string, isInside: boolean): boolean {
  return WAVE.test(heading) && (isInside || CALLED_WAVE.test(heading));
}

/** The wave of the innermost of these headings, a phase where none is called a wave. */
export function waveAbove(headings: readonly string[]): WaveName | null {
  const found = headings.findLast((text) => CALLED_WAVE.test(text)) ?? headings.at(-1) ?? "";
  const [, name, phase, ordinal, behind = ""] = WAVE.exec(found) ?? [];
  const id = name ?? phase ?? ordinal;
  return id === undefined ? null : nameOf(id, behind);
}

/** The wave that a task names. */
export function readWave(text: string): WaveName | null {
  const [, id, behind = ""] = WAVE_NAME.exec(text) ?? [];
  return id === undefined ? null : nameOf(id, behind);
}

/** A wave's name as somebody compares it: `Wave 2`, `w2` and `2` are one. */
export function waveKey(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/^(?:w(?:ave)?|phase|stage|milestone)[\s_-]*(?=\d)/u, "");
}

function nameOf(id: string, behind: string): WaveName {
  const title = behind.replaceAll(/^[\s*_`"':.–—|-]+|[\s*_`"':]+$/g, "");
  return { id, title: foreignLine(title) };
}
