import { beforeEach, expect, it } from "vitest";
import type { Proofs } from "../../../src/checks/verifier.ts";
import { followTree, type WorkTree } from "../../../src/work-tree/work-tree.ts";
import { createTestServices, type TestServices } from "../../support/services.ts";

let did: string[];
let project: WorkTree;
let branch: WorkTree;
let now: WorkTree;

/** A tree that says by its name what it is asked. */
function tree(name: string, services: TestServices): WorkTree {
  const open = (): Proofs => {
    did.push(`${name}: open`);
    const standing = async () => {
      did.push(`${name}: standing`);
      return "passed" as const;
    };
    return { ...services.verifier.open(), standing };
  };
  return { ...services, verifier: { ...services.verifier, open } };
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
