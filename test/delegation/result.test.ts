import * as z from "zod/mini";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { SPECIALISTS } from "../../src/agents/registry.ts";
import { renderGiven, renderResult } from "../../src/delegation/result.ts";
import { reduceTask, type Task, type TaskOutcome, taskIdOf } from "../../src/delegation/task.ts";
import { recordOf } from "../../src/lib/json.ts";
import { sampleOf } from "../support/sample.ts";
import { taskOf } from "../support/task.ts";

/** Around the contract, beside words that say what is wrong. */
const MAX_AROUND = 250;
const WORDS = ["message", "raw_text", "parse_error", "progress"];

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const count = fc.nat(10_000_000);
const words = fc.string({ maxLength: 300 });
const attempt = fc.record({
  model: fc.constantFrom(null, "zhipuai-coding-plan/glm-4.7" as const),
  failure: fc.constantFrom(null, "quota" as const, "stalled" as const),
  message: words,
  duration_ms: count,
});

/** A specialist's task as it came to its end, or still runs, with a contract of its own. */
const task = fc
  .record({
    definition: fc.constantFrom(...SPECIALISTS),
    session: fc.stringMatching(/^ses_[0-9a-zA-Z]{26}$/),
    number: fc.integer({ min: 1, max: 999 }),
    unit: fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,63}$/),
    status: fc.constantFrom("completed" as const, "partial" as const, "failed" as const),
    text: fc.option(words, { nil: null }),
    attempts: fc.array(attempt, { maxLength: 5 }),
    spent: fc.record({ input: count, output: count, cached: count }),
    isEnded: fc.boolean(),
    said: words,
  })
  .map(({ definition, session, number, unit, status, text, attempts, spent, isEnded, said }): Task => {
    const agent = definition.name;
    const answer = recordOf(
      sampleOf(definition.contract && z.toJSONSchema(definition.contract.asked, { io: "input" }), said, true),
    );
    const envelope = { ok: true, data: {}, errors: [], ...answer };
    const begun = taskOf({
      id: taskIdOf(session, number),
      agent,
      sessionId: session,
      workUnit: unit,
      waveId: "w1",
    });
    const worked = { ...begun, attempts, model: "zhipuai-coding-plan/glm-4.7" as const };
    const paid = reduceTask(worked, { type: "spent", at: 1, tokens: spent, cost: 0.123456789 });
    const outcome: TaskOutcome = { status, message: said, envelope, parseError: text, text };
    return isEnded ? reduceTask(paid, { type: "ended", at: 1_234_567, outcome }) : paid;
  });

it("a result as GAIA pays for it carries 250 bytes around the contract and the words about it, whoever worked however long", () => {
  fc.assert(
    fc.property(task, (each) => {
      const given = recordOf(renderGiven(renderResult(each, 0)));
      const contract = recordOf(given["parsed_json"]);
      const told = WORDS.flatMap((key) => (key in given ? [bytes({ [key]: given[key] })] : []));
      const around = bytes(given) - bytes(contract) - told.reduce((sum, each) => sum + each, 0);
      expect(around).toBeLessThanOrEqual(MAX_AROUND);
      // Nothing in the contract that she knows from her own call.
      expect(
        Object.keys(contract).every((key) => /^(?:ok|data|errors|questions|outcome|assumptions)$/.test(key)),
      ).toBe(true);
    }),
  );
});
