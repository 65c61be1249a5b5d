import { tagged } from "../lib/quoting.ts";
import { visible } from "../lib/visible.ts";

export interface Given {
  readonly text: string;
  readonly sources: readonly string[];
}

interface SourceText {
  readonly source: string;
  readonly text: string;
}

export interface Manner {
  readonly tag: string;
  readonly head: string;
  /** Stands for a text for which there is no room. */
  readonly tooLong: string;
  /** The most that anyone is given of them in one session, in bytes. */
  readonly max: number;
}

/** As many texts as there is room for; of one that does not fit, its name. @param used what was given before, in bytes */
export function renderContextGiven(manner: Manner, texts: readonly SourceText[], used: number): Given {
  const { tag, head, tooLong, max } = manner;
  const sources: string[] = [];
  let text = "";
  let pieces: readonly string[] = [head];
  for (const { source, text: whole } of texts) {
    for (const body of [whole, tooLong]) {
      const next = [...pieces, `## ${visible(source)}\n${body}`];
      const given = tagged(tag, next.join("\n\n"));
      if (used + Buffer.byteLength(given) > max) continue;
      [text, pieces] = [given, next];
      sources.push(source);
      break;
    }
  }
  return { text, sources };
}
