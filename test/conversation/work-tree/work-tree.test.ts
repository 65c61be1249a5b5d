import { beforeEach, expect, it } from "vitest";
import type { Proofs } from "../../../src/checks/verifier.ts";
import { followTree, type WorkTree } from "../../../src/conversation/work-tree/work-tree.ts";
import { createTestServices, type TestServices } from "../../support/services.ts";

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
