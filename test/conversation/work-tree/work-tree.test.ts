import { beforeEach, expect, it } from "vitest";
import type { Proofs } from "../../../src/checks/verifier.ts";
import { followTree, type WorkTree } from "../../../src/conversation/work-tree/work-tree.ts";
import { createTestServices, openConversation, type TestServices } from "../../support/services.ts";

let did: string[];
let project: WorkTree;
let branch: WorkTree;
let now: WorkTree;

/** A tree that says by its name what it is asked. */
function tree(name: string, services: TestServices): WorkTree {
  const say = (what: string): void => void did.push(`${name}: ${what}`);
  const proofs = (): Proofs => ({
    ...services.verifier.open(),
    standing: async () => {
      say("standing");
      return "passed";
    },
  });
  return {
    ...services,
    place: { directory: `/${name}`, project: `/${name}`, worktree: `/${name}`, unit: null },
    verifier: {
      ...services.verifier,
      open: () => {
        say("open");
        return proofs();
      },
    },
    workWatch: {
      ...services.workWatch,
      begin: async (callId) => say(`begin ${callId}`),
      end: async (callId) => {
        say(`end ${callId}`);
        return null;
      },
    },
  };
}

beforeEach(() => {
  did = [];
  const services = createTestServices();
  [project, branch] = [tree("project", services), tree("branch", services)];
  now = project;
});

it("is the tree that the work stands in now, and what began in another ends there", async () => {
  const { place, workWatch } = followTree(project, () => now);
  await workWatch.begin("call", [], true);
  now = branch;
  expect(place.project).toBe("/branch");
  await workWatch.end("call");
  await workWatch.begin("later", [], true);
  expect(did).toEqual(["project: begin call", "project: end call", "branch: begin later"]);
});

it("remembers of each what was proven there", async () => {
  const { standing } = followTree(project, () => now).verifier.open();
  const { signal } = new AbortController();
  for (const each of [project, branch, project]) {
    now = each;
    await standing(signal);
  }
  expect(did).toEqual([
    "project: open",
    "project: standing",
    "branch: open",
    "branch: standing",
    "project: standing",
  ]);
});

it("is that of the unit which a conversation is at", async () => {
  const services = createTestServices();
  const units: (string | null)[] = [];
  const { conversation } = await openConversation({
    ...services,
    treeOf(unit) {
      units.push(unit);
      return unit === "apart" ? branch : project;
    },
  });
  expect(conversation.tree.place.project).toBe("/project");
  conversation.dispatch({ type: "work-unit-changed", workUnit: "apart" });
  expect(conversation.tree.place.project).toBe("/branch");
  expect(new Set(units)).toEqual(new Set([null, "apart"]));
});
