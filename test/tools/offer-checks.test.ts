import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compose, type Composition, planCalls, type Answer, type PlanCalls } from "../support/composition.ts";
import { writeIn } from "../support/directory.ts";
import { sessionOf } from "../support/fake-host.ts";

const PACKAGE = { scripts: { test: "vitest run", lint: "eslint .", format: "prettier --write ." } };
const MARKDOWN =
  "## Goal\n\nIt works.\n\n## Tasks\n\n- [ ] 1. Do it\n  - agent: hephaestus\n  - files: a.ts\n  - verify: `true`\n";
const OFFER = expect.stringMatching(/adopt these checks\? npm run test; npm run lint$/);
const APPROVAL = expect.stringContaining("plan of");

let composition: Composition;
let calls: PlanCalls;

/** @param answers what the user answers to each dialog, in order */
async function open(...answers: Answer[]): Promise<void> {
  composition = await compose();
  await writeIn(composition.host.directory, "package.json", JSON.stringify(PACKAGE));
  calls = planCalls(composition);
  Object.defineProperty(calls, "answer", { get: () => answers[calls.asked.length - 1] ?? "no" });
}
async function approvePlan(slug: string, sessionId?: string): Promise<unknown> {
  await calls.plan("create_work_unit", { slug, title: slug, content: { markdown: MARKDOWN } }, sessionId);
  return (await calls.plan("request_approval", { slug, kind: "plan" }, sessionId))["ok"];
}
const read = async (path: string): Promise<string> =>
  readFile(join(composition.host.directory, ".gaia", path), "utf8").catch(() => "");

describe("a project without checks", () => {
  it("is offered those that it has when its first plan is approved, and adopts them by the user's yes", async () => {
    await open("yes", "yes");
    expect(await approvePlan("unit")).toBe(true);
    expect(calls.asked).toEqual([APPROVAL, OFFER]);
    expect(await read("config.jsonc")).toMatch(/"npm run test"[^]*"npm run lint"/);
    expect(await read("config.jsonc")).not.toContain("prettier");
    expect(await composition.runtime.verifier.suggest()).toBeNull();
    expect(await read("unit/log.md")).toContain("Approve the checks (npm run test; npm run lint) · ");
  });

  it("is asked once: a no holds nothing up, takes nothing back and is remembered", async () => {
    await open("yes", "no", "yes", "yes");
    expect(await approvePlan("unit")).toBe(true);
    expect(await approvePlan("other")).toBe(true);
    expect((await composition.conversation()).state.rejection).toBeNull();
    // Another conversation of the same project.
    composition.runtime.sessions.spoke("ses_2", "gaia", "a/one");
    composition.host.stored.set("ses_2", sessionOf("ses_2"));
    await approvePlan("third", "ses_2");
    expect(calls.asked).toEqual([APPROVAL, OFFER, APPROVAL, APPROVAL]);
    expect(await read("config.jsonc")).toBe("");
  });

  it("adopts nothing where a rule answers instead of a person", async () => {
    await open("yes", null);
    await approvePlan("unit");
    expect(calls.asked).toHaveLength(2);
    expect(await read("config.jsonc")).toBe("");
  });
});
