import { expect, it } from "vitest";
import { parsePlan } from "../../src/plan/grammar.ts";
import { readCases } from "../support/cases.ts";

it.each(readCases<[text: string, command: string | null]>("plan/condition-commands"))(
  "the command of a condition is what stands in backticks, with a text behind it, and none in anything else: %s",
  (text, command) => {
    const { conditions, errors } = parsePlan(`## Done When\n\n- ${text}\n`);
    expect(errors).toEqual([]);
    expect(conditions[0]?.command).toBe(command);
  },
);
