import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { compose, type Composition } from "../support/composition.ts";
import { sessionOf } from "../support/fake-host.ts";
import { planCalls, type Answer, type PlanCalls } from "../support/plan-calls.ts";

const PACKAGE = { scripts: { test: "vitest run", lint: "eslint .", format: "prettier --write ." } };
const MARKDOWN =
  "## Goal\n\nIt works.\n\n## Tasks\n\n- [ ] 1. Do it\n  - agent: hephaestus\n  - files: a.ts\n  - verify: `true`\n";
const OFFER = expect.stringMatching(/adopt these checks\? npm run test; npm run lint$/);
const APPROVAL = expect.stringContaining("plan of");

let composition: Composition;
let calls: PlanCalls;
/** What the user answers to each dialog, in order. */
let answers: Answer[];

async function open(
  options: object = {},
  files: Record<string, unknown> = { "package.json": PACKAGE },
): Promise<void> {
  composition = await compose(options);
  for (const [path, content] of Object.entries(files))
    await writeFile(join(composition.host.directory, path), JSON.stringify(content));
  calls = planCalls(composition);
  Object.defineProperty(calls, "answer", { get: () => answers[calls.asked.length - 1] ?? "no" });
}
beforeEach(() => {
  answers = ["yes", "yes"];
});

async function approvePlan(slug = "unit", title = "Unit"): Promise<unknown> {
  await calls.plan("create_work_unit", { slug, title, content: { markdown: MARKDOWN } });
  return (await calls.plan("request_approval", { slug, kind: "plan" }))["ok"];
}
const configuration = async (): Promise<string> =>
  readFile(join(composition.host.directory, ".gaia/config.jsonc"), "utf8").catch(() => "");

describe("a project without checks", () => {
  it("is offered those that it has when its first plan is approved, and adopts them by the user's yes", async () => {
    await open();
    expect(await approvePlan()).toBe(true);
    expect(calls.asked).toEqual([APPROVAL, OFFER]);
    expect(await configuration()).toMatch(/"npm run test"[^]*"npm run lint"/);
    expect(await configuration()).not.toContain("prettier");
    expect(await composition.runtime.verifier.suggest()).toBeNull();
    expect(
      await readFile(join(composition.host.directory, ".gaia/unit/log.md"), "utf8").catch(() => ""),
    ).toContain("Approve the checks (npm run test; npm run lint) · ");
  });

  it("is asked once: a no holds nothing up, takes nothing back and is remembered", async () => {
    await open();
    answers = ["yes", "no", "yes", "yes"];
    expect(await approvePlan()).toBe(true);
    expect(await approvePlan("other", "Other")).toBe(true);
    const { state } = await composition.conversation();
    expect(state.rejection).toBeNull();
    // Another conversation of the same project.
    composition.runtime.sessions.spoke("ses_2", "gaia", "a/one");
    composition.host.stored.set("ses_2", sessionOf("ses_2"));
    await calls.plan(
      "create_work_unit",
      { slug: "third", title: "Third", content: { markdown: MARKDOWN } },
      "ses_2",
    );
    await calls.plan("request_approval", { slug: "third", kind: "plan" }, "ses_2");
    expect(calls.asked).toEqual([APPROVAL, OFFER, APPROVAL, APPROVAL]);
    expect(await configuration()).toBe("");
  });

  it("adopts nothing where a rule answers instead of a person", async () => {
    await open();
    answers = ["yes", null];
    await approvePlan();
    expect(calls.asked).toHaveLength(2);
    expect(await configuration()).toBe("");
  });
});
