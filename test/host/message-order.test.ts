import { describe, expect, it } from "vitest";
import { createMessageOrder } from "../../src/host/opencode/adapter.ts";

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
});
