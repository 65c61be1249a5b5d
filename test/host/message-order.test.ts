import { describe, expect, it } from "vitest";
import { createMessageOrder } from "../../src/host/opencode/message-order.ts";

type Order = ReturnType<typeof createMessageOrder>;
type Output = Parameters<Order["place"]>[0];

const message = (created: number, parts: object[]): Output =>
  ({ message: { sessionID: "ses_1", time: { created } }, parts }) as unknown as Output;
const said = (created: number): Output => message(created, [{ type: "text", text: "Go" }]);
const note = (created: number, since: number): Output =>
  message(created, [{ type: "text", text: "Told", ignored: true, metadata: { gaia: true, since } }]);
const answer = (order: Order, created: number): void => {
  const info = { role: "assistant", sessionID: "ses_1", time: { created } };
  order.observe({ type: "message.updated", properties: { info } } as Parameters<Order["observe"]>[0]);
};
/** The messages in OpenCode's order, once all have been placed in the order given. */
const ordered = (order: Order, placed: Record<string, Output>): string[] => {
  for (const output of Object.values(placed)) order.place(output);
  const at = (name: string): number => placed[name]?.message.time.created ?? 0;
  return Object.keys(placed).toSorted((a, b) => at(a) - at(b));
};

describe("a note", () => {
  it("stays behind the turn that it tells of", () => {
    const order = createMessageOrder();
    order.place(said(100));
    answer(order, 110);
    const late = note(200, 190);
    expect(order.place(late)).toBe(true);
    expect(late.message.time.created).toBe(200);
  });

  it("comes before what the user said meanwhile, whether the answer to that has begun or not", () => {
    for (const begins of [false, true]) {
      const order = createMessageOrder();
      order.place(said(100));
      answer(order, 110);
      const next = said(200);
      expect(order.place(next)).toBe(false);
      if (begins) answer(order, 205);
      const late = note(210, begins ? 190 : 208);
      order.place(late);
      expect([late.message.time.created, next.message.time.created]).toEqual([199, 200]);
    }
  });

  it("comes before what the user began to say earlier, and OpenCode took longer to read", () => {
    const order = createMessageOrder();
    expect(ordered(order, { told: note(205, 190), said: said(200) })).toEqual(["told", "said"]);
  });

  it("inside a turn stays where it is", () => {
    const order = createMessageOrder();
    order.place(said(100));
    answer(order, 110);
    const inside = note(120, 120);
    order.place(inside);
    expect(inside.message.time.created).toBe(120);
  });

  it("is what the plugin wrote for nobody but the user", () => {
    const order = createMessageOrder();
    const wake = message(1, [{ type: "text", text: "results", metadata: { gaia: true }, synthetic: true }]);
    const mixed = message(2, [...note(2, 1).parts, { type: "text", text: "Go" }]);
    expect([wake, mixed, message(3, [])].map((each) => order.place(each))).toEqual([false, false, false]);
  });
});
