import { describe, expect, it } from "vitest";
import { readCases } from "../../support/cases.ts";
import { decideHandover, type Handover } from "../../../src/conversation/delegations/result-delivery.ts";

const ALONE: Handover = { ended: 1, running: 0, queued: 0, turns: 0, waitedMs: 0 };

describe("results", () => {
  it.each(readCases<{ given: Partial<Handover>; expected: number }>("conversation/delegations/handovers"))(
    "$name",
    ({ given, expected }) => {
      expect(decideHandover({ ...ALONE, ...given })).toBe(expected);
    },
  );
});
