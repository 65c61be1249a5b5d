import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { SPECIALISTS } from "../../../src/agents/registry.ts";
import { evaluateAnswer } from "../../../src/contracts/evaluate.ts";
import { listOf, recordOf } from "../../../src/lib/json.ts";

const file = new URL("../../../templates/demo-script.json", import.meta.url);
const script = recordOf(JSON.parse(readFileSync(file, "utf8")));

it.each(SPECIALISTS.filter(({ name }) => name in script))(
  "the script of the demo lets $name answer by its contract, so that nothing is repaired",
  ({ name, contract }) => {
    const last = recordOf(listOf(script[name]).at(-1));
    const { result: data, outcome } = last;
    const answer = { ok: true, data, errors: [], ...(outcome === undefined ? {} : { outcome }) };
    expect(contract && evaluateAnswer(contract, { text: JSON.stringify(answer) })).toMatchObject({
      status: "valid",
    });
  },
);
