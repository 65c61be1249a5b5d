export interface AnswerEnd {
  readonly agent: string;
  readonly model: string | null;
  readonly status: string;
  /** Whether its contract was asked for again. */
  readonly isRepaired: boolean;
  /** Of a reviewer, with its reason; empty for all others. */
  readonly verdict: string;
}

const TROUBLES: readonly (readonly [words: string, isMeant: (end: AnswerEnd) => boolean])[] = [
  ["needed a repair", ({ isRepaired }) => isRepaired],
  ["fitted no contract or were cut", ({ status }) => status === "partial"],
  ["rejected the work", ({ verdict }) => verdict.startsWith("REJECT")],
];

/**
 * What was wrong with the answers of specialists, a line for each model (SPEC 6): `k2p5: 4 of 9 answers needed a repair
 * (one 3, another 1)`. Models of which there is nothing to tell have none.
 */
export function describeAnswers(ends: readonly AnswerEnd[]): string[] {
  return unique(ends.map(({ model }) => model)).flatMap((model) => {
    const all = ends.filter((end) => end.model === model);
    const found = TROUBLES.flatMap(([words, isMeant]) => {
      const agents = all.filter(isMeant).map(({ agent }) => agent);
      const who = unique(agents).map((agent) => `${agent} ${agents.filter((each) => each === agent).length}`);
      const of = `of ${all.length} ${all.length === 1 ? "answer" : "answers"}`;
      return agents.length === 0 ? [] : `${agents.length} ${of} ${words} (${who.join(", ")})`;
    });
    return found.length === 0 ? [] : `${model ?? "the default model"}: ${found.join(", ")}`;
  });
}

function unique<T>(all: readonly T[]): T[] {
  return [...new Set(all)];
}
