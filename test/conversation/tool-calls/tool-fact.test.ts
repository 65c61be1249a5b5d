import { expect, it } from "vitest";
import { readToolFact, renderTarget } from "../../../src/conversation/tool-calls/tool-fact.ts";
import { readOutcome, readTarget } from "../../../src/host/opencode/tool-call.ts";
import { createRedactor } from "../../../src/lib/redaction.ts";
import { runningCall } from "../../support/running-call.ts";

const redact = createRedactor({ SOME_TOKEN: "a-very-secret-value" });
const call = (tool: string, args: unknown, before: string | null = null) => ({ tool, args, before });
const PLACE = { directory: "/project", project: "/project" };
const read = ({ tool, args, before }: ReturnType<typeof call>, output: unknown, metadata: unknown) => {
  const running = runningCall(tool, args, before);
  return readToolFact(running, readOutcome(tool, args, { output, metadata }), PLACE, redact);
};

it("readToolFact shows nothing of a secret that begins before the end of an output that is kept", () => {
  const body = Array.from({ length: 60 }, (_, at) => `${"MIIJ+k/".repeat(9)}${at % 10}`).join("\n");
  const output = `key:\n-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----\ndone\n`;
  const fact = read(call("bash", { command: "./print" }), output, { exit: 0 });
  expect(fact.command?.output).not.toContain("MIIJ");
  expect(fact.command?.output).toContain("done");
});

it("readToolFact names files from the project on, wherever in it the call was made", () => {
  const running = runningCall("edit", { filePath: "src/a.ts" });
  const outcome = readOutcome(
    "edit",
    {},
    {
      output: "ok",
      metadata: { filediff: { file: "/project/packages/a/src/a.ts", additions: 1, deletions: 0 } },
    },
  );
  const place = { directory: "/project/packages/a", project: "/project" };
  expect(readToolFact(running, outcome, place, redact).files).toMatchObject([
    { path: "packages/a/src/a.ts" },
  ]);
  expect(renderTarget(readTarget("read", { filePath: "src/a.ts" }), place, redact)).toBe(
    "packages/a/src/a.ts",
  );
});

it.each([
  ["/project", "npm test"],
  ["api", "cd api && npm test"],
  ["/elsewhere", "cd /elsewhere && npm test"],
])("readToolFact tells of a command in %s where it ran", (workdir, command) => {
  expect(read(call("bash", { command: "npm test", workdir }), "ok", { exit: 0 }).command).toMatchObject({
    command,
  });
});
