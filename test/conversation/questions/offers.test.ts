import { describe, expect, it } from "vitest";
import { createOffers, type Offer } from "../../../src/conversation/questions/offers.ts";

const openOffers = () => createOffers({} as never, {} as never);
const offer = (header: string, settled: string[] = []): Offer => ({
  header,
  questions: [{ header, question: "Really?", options: [], multiple: false }],
  async settle(answers) {
    settled.push(JSON.stringify(answers));
    return header;
  },
});
const asking = (header: string) => [{ header, question: "What the model wrote" }];

describe("an offer", () => {
  it("is found by its header, settled by the answer to that very call, and gone then", async () => {
    const settled: string[] = [];
    const offers = openOffers();
    offers.put(offer("Setup", settled));
    expect(offers.open("call-1", asking("Setup"))?.questions[0]?.question).toBe("Really?");
    await expect(offers.close("call-2", [["Yes"]])).resolves.toBeNull();
    await expect(offers.close("call-1", [["Yes"]])).resolves.toBe("Setup");
    await expect(offers.close("call-1", [["Yes"]])).resolves.toBeNull();
    expect(offers.open("call-3", asking("Setup"))).toBeNull();
    expect(settled).toEqual(['[["Yes"]]']);
  });

  it("is found beside other questions, and is settled by its own answers alone", async () => {
    const settled: string[] = [];
    const offers = openOffers();
    offers.put(offer("Setup", settled));
    expect(offers.open("call", [...asking("Colour"), ...asking("Setup")])).not.toBeNull();
    await offers.close("call", [["Yes"], ["Red"]]);
    expect(settled).toEqual(['[["Yes"]]']);
  });

  it("stays while nobody has answered, and is replaced by a newer one of its kind", () => {
    const offers = openOffers();
    const newer = offer("Setup");
    offers.put(offer("Setup"));
    expect(offers.open("call-1", asking("Setup"))).not.toBeNull();
    offers.put(newer);
    expect(offers.open("call-2", asking("Setup"))).toBe(newer);
  });

  it.each([["another header"], [""]])("is not meant by a question with %s", (header) => {
    const offers = openOffers();
    offers.put(offer("Setup"));
    expect(offers.open("call", asking(header))).toBeNull();
    expect(offers.open("call", [])).toBeNull();
  });
});
