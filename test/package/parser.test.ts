import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { expect, it } from "vitest";
import { readToolCall } from "../../src/host/opencode/tool-call.ts";
import { examineCall } from "../../src/policy/examine-call.ts";
import { script } from "../policy/fuzz/script.ts";

// It is shipped compressed, in a file of its own.
it("judges commands in the built package as it does in the sources", async () => {
  const dist = resolve("dist");
  const name = (await readdir(dist)).find((file) => file.startsWith("judges-")) ?? "";
  const built = (await import(pathToFileURL(resolve(dist, name)).href)) as {
    examineCall: typeof examineCall;
  };
  fc.assert(
    fc.property(script, (command) => {
      const call = readToolCall("bash", { command });
      expect(built.examineCall("bash", call)).toEqual(examineCall("bash", call));
    }),
    { numRuns: 500 },
  );
});
