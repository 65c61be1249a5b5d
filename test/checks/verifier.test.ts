import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Verification, Proofs, VerifyOptions } from "../../src/checks/verifier.ts";
import { createVcs, type Vcs } from "../../src/snapshot/vcs.ts";
import { evidenceIn } from "../support/evidence.ts";
import { define } from "./definition.ts";
import { createProject, writeFiles } from "./project.ts";

const BASE = "0123456789abcdef";
/** Passes once the file `good` is there. */
const CHECKS = { checks: [{ id: "good", command: "test -e good" }] };

async function createScene(vcs: Partial<Vcs> = {}) {
  const directory = await createProject({ "a.txt": "one" });
  const { verifier } = evidenceIn(directory, {
    vcs: { ...createVcs("none", directory), ...vcs },
    adopted: { definition: define(CHECKS) },
  });
  return { directory, verifier, proofs: verifier.open() };
}

async function verify(proofs: Proofs, by: VerifyOptions["by"]): Promise<Verification> {
  return proofs.verify({ by, signal: new AbortController().signal });
}

async function nextOf(proofs: Proofs, by: VerifyOptions["by"]): Promise<string> {
  const verification = await verify(proofs, by);
  return verification.kind === "ran" ? verification.next.kind : verification.kind;
}

describe("attempts that change nothing", () => {
  it("block the work when they are GAIA's", async () => {
    const { proofs } = await createScene();
    for (const next of ["fix", "fix", "blocked"]) expect(await nextOf(proofs, "gaia")).toBe(next);
  });

  it("do not count when the user looked", async () => {
    const { proofs } = await createScene();
    for (let run = 0; run < 4; run += 1) expect(await nextOf(proofs, "user")).toBe("fix");
    for (const next of ["fix", "fix"]) expect(await nextOf(proofs, "gaia")).toBe(next);
    expect(await nextOf(proofs, "user")).toBe("fix");
    expect(await nextOf(proofs, "gaia")).toBe("blocked");
  });

  it("are over with a pass, whoever asked for it", async () => {
    const { directory, proofs } = await createScene();
    for (const next of ["fix", "fix"]) expect(await nextOf(proofs, "gaia")).toBe(next);
    await writeFiles(directory, { good: "" });
    expect(await nextOf(proofs, "user")).toBe("review");
    await rm(join(directory, "good"));
    for (const next of ["fix", "fix", "blocked"]) expect(await nextOf(proofs, "gaia")).toBe(next);
  });
});

describe("a proof", () => {
  const standing = async (proofs: Proofs) => proofs.standing(new AbortController().signal);

  it("holds until a file changes, and counts whoever asked for it", async () => {
    const { directory, proofs } = await createScene();
    expect(await standing(proofs)).toBe("never");
    await verify(proofs, "user");
    expect(await standing(proofs)).toBe("failed");
    await writeFiles(directory, { good: "" });
    await verify(proofs, "user");
    expect(await standing(proofs)).toBe("passed");
    await writeFiles(directory, { "a.txt": "two", ".gaia/log.md": "x" });
    expect(await standing(proofs)).toBe("stale");
  });
});

it("the scope of the work is that of documents when nothing else changed since it began", async () => {
  let paths = ["README.md"];
  const { proofs } = await createScene({
    baseRevision: async () => BASE,
    changesSince: async (base) => ({
      files: paths.map((path) => ({ path, added: 1, removed: 0 })),
      base,
      known: true,
    }),
  });
  const scope = async () => proofs.scopeOfWork(new AbortController().signal);
  expect(await scope()).toBe("full");
  await proofs.begin();
  expect(await scope()).toBe("doc");
  paths = ["README.md", "b.ts"];
  expect(await scope()).toBe("full");
  paths = [];
  expect(await scope()).toBe("full");
});

describe("the commands of a definition", () => {
  const runs = async (command: string, isLocked: boolean): Promise<string> => {
    const directory = await createProject({
      "agency.json": JSON.stringify({ definitionOfDone: { checks: [{ id: "c", command }] } }),
    });
    const { verifier } = evidenceIn(directory, { hasSandbox: false });
    const signal = new AbortController().signal;
    const verification = await verifier.open().verify({ by: "gaia", signal, isLocked });
    if (verification.kind !== "ran") return verification.kind === "broken" ? verification.problem : "none";
    return verification.report.checks[0]?.detail ?? "ran";
  };

  it.each<[string, boolean, RegExp]>([
    ["touch made", false, /^ran$/],
    ["touch made", true, /^no sandbox here, and the session is locked/],
    ["sudo true", false, /^it is dangerous/],
    ["cat .env; false", false, /^it .*may hold secrets/],
    ["touch .git/hooks/pre-commit", false, /^it .*only the user changes/],
  ])("are judged like any other: %s, locked %s", async (command, isLocked, expected) => {
    expect(await runs(command, isLocked)).toMatch(expected);
  });
});
