import type { RecordedRequest } from "../../../scripted-model/request.ts";
import type { Turn, TurnSource } from "../../../scripted-model/turn.ts";

/** How long the scripted model seems to think, in milliseconds: enough to follow, and to see what runs in parallel. */
const THINKING_MS = 150;
const CHARACTERS_PER_TOKEN = 4;

/** The same turn at a pace that a person can follow, with token figures that go by the real length of the texts. */
export function paced(source: TurnSource): TurnSource {
  return async (request: RecordedRequest): Promise<Turn> => {
    const turn = typeof source === "function" ? await source(request) : source;
    const said = JSON.stringify([turn.text ?? "", turn.calls ?? []]);
    const usage = { input: tokensOf(request.raw), output: tokensOf(said) };
    return { ...turn, delayMs: THINKING_MS, usage };
  };
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}
