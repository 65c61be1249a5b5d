import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createQueue, type Ticket } from "../../src/delegation/queue.ts";
import { createFakeClock } from "../support/fake-clock.ts";

async function isReady(ticket: Ticket): Promise<boolean> {
  const waiting = Symbol("waiting");
  return (await Promise.race([ticket.ready, Promise.resolve(waiting)])) !== waiting;
}

describe("the queue", () => {
  it("starts in order, sync work first, and tells each its place", async () => {
    const queue = createQueue({ background: 1, perProvider: { a: 1 }, perModel: {} }, createFakeClock());
    const first = queue.enter({ background: true, model: "a/one", beginning: "" });
    const second = queue.enter({ background: true, model: "a/one", beginning: "" });
    const sync = queue.enter({ background: false, model: "a/one", beginning: "" });
    expect([first, sync, second].map((ticket) => ticket.position())).toEqual([0, 1, 2]);
    first.release();
    expect([await isReady(sync), await isReady(second)]).toEqual([true, false]);
    sync.release();
    expect(await isReady(second)).toBe(true);
  });

  it("does not let one provider's limit hold back another provider's work", async () => {
    const queue = createQueue(
      { background: 9, perProvider: { a: 1 }, perModel: { "b/one": 1 } },
      createFakeClock(),
    );
    const tickets = ["a/one", "a/two", "b/one", "b/one", "b/two"].map((model) =>
      queue.enter({ background: true, model, beginning: "" }),
    );
    expect(tickets.map((ticket) => ticket.position() === 0)).toEqual([true, false, true, false, true]);
  });

  it("never runs more than allowed, and starts everybody in the end", () => {
    const entry = fc.record({
      background: fc.boolean(),
      model: fc.constantFrom("a/one", "a/two", "b/one", null),
      beginning: fc.constantFrom("", "edits", "reads"),
    });
    const limits = { background: 2, perProvider: { a: 2 }, perModel: { "b/one": 1 } };
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 20 }),
        fc.array(fc.nat(), { maxLength: 40 }),
        (entries, order) => {
          const queue = createQueue(limits, createFakeClock());
          const open = entries.map((request) => ({ request, ticket: queue.enter(request) }));
          const check = (): void => {
            const running = open
              .filter(({ ticket }) => ticket.position() === 0)
              .map(({ request }) => request);
            expect(running.filter(({ background }) => background).length).toBeLessThanOrEqual(2);
            expect(running.filter(({ model }) => model?.startsWith("a/")).length).toBeLessThanOrEqual(2);
            expect(running.filter(({ model }) => model === "b/one").length).toBeLessThanOrEqual(1);
            if (open.length > 0) expect(running.length).toBeGreaterThan(0);
          };
          for (const pick of [...order, ...entries.map(() => 0)]) {
            check();
            const [gone] = open.splice(pick % Math.max(1, open.length), 1);
            gone?.ticket.release();
            gone?.ticket.release();
          }
          expect(open).toEqual([]);
        },
      ),
    );
  });

  it("lets one go ahead of those that begin alike, until the model answers or has had its time", async () => {
    const clock = createFakeClock();
    const queue = createQueue({ background: 9, perProvider: {}, perModel: {} }, clock);
    const enter = (model: string, beginning: string) => queue.enter({ background: false, model, beginning });
    const [first, second, other] = [
      enter("a/one", "edits"),
      enter("a/one", "edits"),
      enter("a/one", "reads"),
    ];
    expect([await isReady(first), await isReady(second), await isReady(other)]).toEqual([true, false, true]);
    first.answering();
    expect(await isReady(second)).toBe(true);
    // What was sent is kept now, so the next ones begin together.
    first.release();
    const [third, fourth] = [enter("a/one", "edits"), enter("a/one", "edits")];
    expect([await isReady(third), await isReady(fourth)]).toEqual([true, true]);
    const [silent, waits] = [enter("b/one", "edits"), enter("b/one", "edits")];
    await clock.advance(2_999);
    expect([await isReady(silent), await isReady(waits)]).toEqual([true, false]);
    await clock.advance(1);
    expect(await isReady(waits)).toBe(true);
    await clock.advance(4 * 60_000);
    const [late, later] = [enter("a/one", "edits"), enter("a/one", "edits")];
    expect([await isReady(late), await isReady(later)]).toEqual([true, false]);
    late.release();
    expect(await isReady(later)).toBe(true);
  });
});
