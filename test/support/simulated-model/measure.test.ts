import { describe, expect, it } from "vitest";
import { dependenciesOf, type Sent } from "./dependencies.ts";
import { measure, type Exchange } from "./measure.ts";
import { createPrefixCache } from "./prefix-cache.ts";

const KB = 1_000;
const text = (letter: string, bytes: number): Buffer => Buffer.from(letter.repeat(bytes));

/** A request of GAIA's, or of a child of hers; times are those of the recording. */
function sent(session: string, sentAt: number, answeredAt: number, begins = false): Sent {
  return { session, parent: session === "gaia" ? "" : "gaia", begins, sentAt, answeredAt };
}

function exchange(of: Sent, prompt: Buffer, answerBytes = 0): Exchange {
  return { ...of, model: "m", prompt, bytes: prompt.length, answerBytes };
}

/** Whose whole answers a request waited for. */
const answersBefore = (all: readonly Sent[]): number[][] =>
  dependenciesOf(all).map(({ answers }) => answers.toSorted((a, b) => a - b));

describe("what a request waited for", () => {
  it("is the answer before it in the same session", () => {
    expect(answersBefore([sent("gaia", 0, 1, true), sent("gaia", 2, 3), sent("gaia", 4, 5)])).toEqual([
      [],
      [0],
      [1],
    ]);
  });

  it("is, for children handed out together, the parent's answer alone, and for the parent all of them", () => {
    const all = [
      sent("gaia", 0, 1, true),
      sent("a", 2, 10, true),
      sent("b", 3, 11, true),
      sent("a", 12, 13),
      sent("gaia", 14, 15),
    ];
    expect(answersBefore(all)).toEqual([[], [0], [0], [1], [0, 2, 3]]);
    expect(dependenciesOf(all).flatMap(({ begun }) => begun)).toEqual([]);
  });

  it("is the beginning of an answer, where one child was let go ahead of another", () => {
    const all = [
      sent("gaia", 0, 1, true),
      sent("a", 2, 3, true),
      sent("b", 4, 5, true),
      sent("a", 6, 7),
      sent("b", 8, 9),
    ];
    expect(dependenciesOf(all)[2]).toEqual({ answers: [0], begun: [1] });
    expect(dependenciesOf(all)[4]).toEqual({ answers: [2], begun: [] });
  });

  it("is the wave before, where the host hands out the next without a turn of the parent's", () => {
    const all = [
      sent("gaia", 0, 1, true),
      sent("a", 2, 10, true),
      sent("b", 3, 11, true),
      sent("c", 12, 20, true),
    ];
    expect(answersBefore(all)[3]).toEqual([0, 1, 2]);
  });

  it("is what came between, where a child's session is gone on with", () => {
    const all = [
      sent("gaia", 0, 1, true),
      sent("a", 2, 3, true),
      sent("b", 4, 5, true),
      sent("a", 6, 7, true),
      sent("gaia", 8, 9),
    ];
    expect(answersBefore(all).slice(3)).toEqual([
      [0, 1, 2],
      [0, 1, 2, 3],
    ]);
  });

  it("is nothing of a child that still works in the background", () => {
    const all = [sent("gaia", 0, 1, true), sent("a", 2, 9, true), sent("gaia", 3, 4)];
    expect(answersBefore(all)[2]).toEqual([0]);
  });
});

describe("what a provider has cached", () => {
  it("is the longest beginning that was read before, whoever sent it", () => {
    const cache = createPrefixCache();
    cache.add(Buffer.concat([text("a", 8 * KB), text("b", KB)]), 1);
    cache.add(text("a", 6 * KB), 1);
    expect(cache.find(Buffer.concat([text("a", 8 * KB), text("c", KB)]), 2)).toBe(8 * KB);
    expect(cache.find(text("d", 8 * KB), 2)).toBe(0);
  });

  it("is nothing that is still being read, and nothing shorter than a thousand tokens", () => {
    const cache = createPrefixCache();
    cache.add(text("a", 8 * KB), 5);
    expect(cache.find(text("a", 8 * KB), 4)).toBe(0);
    cache.add(text("b", 4 * KB), 1);
    expect(cache.find(text("b", 8 * KB), 5)).toBe(0);
  });

  it("lasts five minutes from its last use", () => {
    const cache = createPrefixCache();
    cache.add(text("a", 8 * KB), 0);
    expect(cache.find(text("a", 8 * KB), 300)).toBe(8 * KB);
    expect(cache.find(text("a", 8 * KB), 600)).toBe(8 * KB);
    expect(cache.find(text("a", 8 * KB), 901)).toBe(0);
  });
});

describe("what a recording costs", () => {
  it("takes the first token, what is new to read, and what is written", () => {
    // 16 KB are 4,000 tokens: a second; 240 bytes are 60 tokens: another.
    const cost = measure([exchange(sent("gaia", 0, 1, true), text("a", 16 * KB), 240)]);
    expect(cost).toEqual({ requests: 1, bytes: 16 * KB, cached: 0, billed: 16 * KB, seconds: 2.6 });
  });

  it("bills a tenth of what was sent before, and reads it at once", () => {
    const first = text("a", 16 * KB);
    const all = [exchange(sent("gaia", 0, 1, true), first), exchange(sent("gaia", 2, 3), first)];
    expect(measure(all)).toMatchObject({ bytes: 32 * KB, cached: 16 * KB, billed: 17.6 * KB });
    expect(measure(all).seconds).toBeCloseTo(1.6 + 0.6);
  });

  it("lets children overlap, who then pay for the same beginning each, and not one after the other", () => {
    const prompt = text("b", 16 * KB);
    const begin = exchange(sent("gaia", 0, 1, true), text("a", 16 * KB));
    const together = [sent("a", 2, 10, true), sent("b", 3, 11, true)];
    const inTurn = [sent("a", 2, 10, true), sent("b", 12, 13, true)];
    const costs = [together, inTurn].map((children) =>
      measure([begin, ...children.map((child) => exchange(child, prompt))]),
    );
    expect(costs[0]).toMatchObject({ cached: 0 });
    expect(costs[0]?.seconds).toBeCloseTo(3.2);
    expect(costs[1]).toMatchObject({ cached: 16 * KB });
    expect(costs[1]?.seconds).toBeCloseTo(3.8);
  });

  it("lets children find what was sent for one of them that was let go ahead", () => {
    const prompt = text("b", 16 * KB);
    const all = [
      exchange(sent("gaia", 0, 1, true), text("a", 16 * KB)),
      exchange(sent("a", 2, 3, true), prompt, 240),
      exchange(sent("b", 4, 5, true), prompt),
      exchange(sent("a", 6, 7), prompt),
    ];
    expect(measure(all)).toMatchObject({ cached: 32 * KB });
    // GAIA 1.6; the first child reads for 1.6, and while it writes for a second the other one has answered.
    expect(measure(all).seconds).toBeCloseTo(1.6 + 1.6 + 1 + 0.6);
  });

  it("keeps models apart, and costs nothing where nothing was sent", () => {
    const first = exchange(sent("gaia", 0, 1, true), text("a", 16 * KB));
    expect(measure([first, { ...first, sentAt: 2, answeredAt: 3, model: "other" }]).cached).toBe(0);
    expect(measure([])).toEqual({ requests: 0, bytes: 0, cached: 0, billed: 0, seconds: 0 });
  });
});
