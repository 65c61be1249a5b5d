import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SPECIALISTS } from "../../../src/agents/registry.ts";
import type { Role } from "../../../src/config/roles.ts";
import type { Conversation } from "../../../src/conversation/conversation.ts";
import { type LaneName } from "../../../src/conversation/lanes/lane.ts";
import { isEditor } from "../../../src/agents/define.ts";
import type { Specialist } from "../../../src/delegation/specialist.ts";
import { ended } from "../../../src/delegation/task.ts";
import { taskOf } from "../../support/task.ts";
import { sessionOf } from "../../support/fake-host.ts";
import { openFolder } from "../../support/directory.ts";
import { createTestServices, openConversation, type TestServices } from "../../support/services.ts";

const roster = new Map<string, Specialist>(
  SPECIALISTS.map(({ name, role, contract, access }) => [
    name,
    { name, role, contract, models: [], mutates: isEditor(access) },
  ]),
);
const specialist = (agent: string): Specialist => {
  const found = roster.get(agent);
  if (found === undefined) throw new Error(agent);
  return found;
};
const OK = "test -s fixed.txt";
const PROVEN = `proven by \`${OK}\``;

let directory: string;
let services: TestServices;
let conversation: Conversation;
beforeEach(async () => {
  directory = await openFolder();
  const roleOf = (agent: string): Role | null => roster.get(agent)?.role ?? null;
  services = createTestServices({ roleOf, specialistOf: (agent) => roster.get(agent) }, directory);
  ({ conversation } = await openConversation(services));
});
afterEach(async () => conversation.parts.workRecord.settled());

const fix = async (): Promise<void> => writeFile(join(directory, "fixed.txt"), "fixed");
const lanes = () => conversation.parts.lanes;

interface Work {
  readonly lane?: LaneName;
  readonly verify?: string;
  /** What it does between the two looks of the host. */
  readonly does?: () => Promise<void>;
  readonly changes?: readonly string[];
}

let count = 0;
/** A delegation from its beginning to its end: what GAIA is told of it. */
async function give(agent: string, work: Work = {}): Promise<string | null> {
  count += 1;
  const { lane: said, changes = specialist(agent).mutates ? ["src/a.ts"] : [] } = work;
  const callId = `call-${count}`;
  const sessionId = `ses_${count}`;
  await lanes().begin(specialist(agent), { said, call: callId, verify: work.verify });
  await work.does?.();
  const begun = taskOf({ id: `task-${count}`, agent, callId, sessionId });
  conversation.each((part) => part.delegationStarted?.(begun));
  const base = { sessionId, tool: "x", mutating: true, failed: false };
  if (changes.length > 0) {
    const files = changes.map((path) => ({ path, added: 1, removed: 0 }));
    conversation.dispatch({ type: "tool-finished", fact: { ...base, files } });
  }
  const envelope = { ok: true, data: {}, errors: [] };
  const done = { ...begun, outcome: { ...ended("completed", ""), envelope } };
  conversation.each((part) => part.delegationFinished?.(done, changes.length > 0));
  return lanes().settled(sessionId);
}
it("has its proof run where no file was changed as well, and tells where there was none", async () => {
  expect(await give("hephaestus", { lane: "quick-fix", verify: OK, changes: [] })).toBe(
    `failed: \`${OK}\` fails`,
  );
  expect(lanes().refuted()).toBe(`\`${OK}\` fails`);
  expect(await give("hephaestus", { changes: [] })).toBe("nothing changed: no file is other than before");
});

const told = (): string => lanes().describe() ?? "";

it("the kind of work is there again after a restart", async () => {
  services.host.stored.set("root", sessionOf("root"));
  await give("hephaestus", { lane: "quick-fix", verify: OK, does: fix });
  expect(told()).toContain("proven by");
  const before = told();
  await conversation.mirrored();
  ({ conversation } = await openConversation(createTestServices({ host: services.host }, directory)));
  expect(told()).toBe(before);
});

it.each<[string, Work, string]>([
  ["a command that failed before it and passes after it", { verify: OK, does: fix }, PROVEN],
  ["one that always passes", { verify: "true", does: fix }, "passes `true`, which was not seen failing"],
  ["one that still fails", { verify: OK }, `failed: \`${OK}\` fails`],
  ["no command", { does: fix }, "claimed, not proven: no `verify` was named"],
  ["one that is not there", { verify: "no-such-program" }, "claimed, not proven: `no-such-program`"],
  ["one that is refused", { verify: "sudo true" }, "claimed, not proven: `sudo true`"],
])("a quick fix that shows %s", async (_name, work, expected) => {
  const proof = await give("hephaestus", { lane: "quick-fix", ...work });
  expect(proof).toContain(expected);
  expect(told()).toContain(expected);
  expect(lanes().now()?.standing?.kind).toBe(/\w+/u.exec(expected)?.[0]);
});

it("a proof that was broken stands until it passes, whatever else passes meanwhile", async () => {
  const breakIt = async (): Promise<void> => rm(join(directory, "fixed.txt"));
  await fix();
  await give("hephaestus", { lane: "quick-fix", verify: OK, does: breakIt });
  expect(await give("artemis", { verify: "test -d ." })).toBe(`failed: \`${OK}\` fails`);
  expect(await give("hephaestus", { verify: "test -d .", does: fix })).toBe(PROVEN);
});

describe("a bug", () => {
  const red = { verify: OK, changes: ["test/a.test.ts"] };

  it("is a cause, a red test and the fix, proven by the very test", async () => {
    await give("minerva", { lane: "bug" });
    expect(lanes().wantsRed()).toBe(true);
    const tested = await give("artemis", red);
    expect(tested).toBe(`red, as it should be before the fix: \`${OK}\``);
    const fixed = await give("hephaestus", { does: fix });
    expect(fixed).toBe(PROVEN);
    expect(lanes().wantsRed()).toBe(false);
    expect(told()).toBe(`bug · red: \`${OK}\` · proven by \`${OK}\``);
  });

  it.each<[string, Work, Work, string]>([
    ["a test that never failed", { ...red, does: fix }, {}, `passes \`${OK}\``],
    ["no test that is named", { changes: red.changes }, { does: fix }, "claimed, not proven: no `verify`"],
    ["a red that always fails", { ...red, verify: "false" }, { does: fix }, "failed: `false` fails"],
    ["a fix that fixes nothing", red, {}, `failed: \`${OK}\` fails`],
    ["another test that passes", red, { verify: "test -d ." }, `failed: \`${OK}\` fails`],
    ["a fix whose own test was red", { changes: red.changes }, { verify: OK, does: fix }, PROVEN],
  ])("with %s is what the host saw", async (_name, test, work, expected) => {
    await give("minerva", { lane: "bug" });
    await give("artemis", test);
    expect(await give("hephaestus", work)).toContain(expected);
  });
});

it("of a feature with a plan is proven by the plan's evidence alone", async () => {
  conversation.dispatch({ type: "work-unit-changed", workUnit: "unit" });
  expect(await give("hephaestus", { lane: "feature", verify: OK })).toBeNull();
});
