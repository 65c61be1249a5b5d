import { describe, expect, it } from "vitest";
import { createHostRuns } from "../../src/checks/host-runs.ts";
import { examination } from "../../src/policy/examination.ts";
import type { Containment } from "../../src/sandbox/containment.ts";
import type { ContainmentState } from "../../src/sandbox/port.ts";

const CHECK = { id: "a", command: "npm test", scope: "full", timeoutSeconds: 1 } as const;
const BOTH = [true, false];

describe("the program of a check", () => {
  const containment = (state: ContainmentState): Containment =>
    ({
      hostReady: async () => state,
      command: async (profile: unknown, folder: string, command: string) => [
        "bwrap",
        JSON.stringify(profile),
        folder,
        command,
      ],
    }) as unknown as Containment;
  const person = { isLocked: false, isByPerson: true };
  const examine = async () => examination("project", "");
  const gone: ContainmentState = { kind: "unavailable", why: "bubblewrap is not installed" };

  const all = BOTH.flatMap((isLocked) =>
    BOTH.flatMap((isByPerson) =>
      BOTH.flatMap((network) =>
        BOTH.flatMap((uncontained) =>
          (["auto", "on", "off", "machine"] as const).flatMap((mode) =>
            BOTH.map((isThere) => ({
              wanted: { isLocked, isByPerson },
              asked: { network, uncontained },
              mode,
              isThere,
            })),
          ),
        ),
      ),
    ),
  );

  it.each(all)("holds for $wanted $asked $mode $isThere", async ({ wanted, asked, mode, isThere }) => {
    const runs = createHostRuns(
      { mode },
      async () => containment(isThere ? { kind: "ready" } : gone),
      examine,
    );
    const ran = await runs
      .programs(wanted)({ ...CHECK, ...asked }, "/p")
      .catch(String);
    const mayAsk = wanted.isByPerson && !wanted.isLocked;
    const isSandboxed = isThere && (mode === "auto" || mode === "on");
    const isFree = mayAsk ? mode !== "on" || isSandboxed : mode === "machine" && !wanted.isLocked;
    if (isSandboxed && !(mayAsk && asked.uncontained)) {
      const profile = { project: wanted.isLocked ? "read" : "write", network: mayAsk && asked.network };
      expect(ran).toEqual(["bwrap", JSON.stringify({ ...profile, caches: true }), "/p", "npm test"]);
    } else expect(ran).toEqual(isFree ? "npm test" : expect.stringMatching(/^Error: no sandbox here/));
  });

  it("is the sandbox wherever there is one", async () => {
    const runs = createHostRuns({ mode: "auto" }, async () => containment({ kind: "ready" }), examine);
    expect(await runs.programs(person)(CHECK, "/p")).toEqual([
      "bwrap",
      '{"project":"write","network":false,"caches":true}',
      "/p",
      "npm test",
    ]);
  });

  it("is the command itself for a person's check without one, which is told before it runs", async () => {
    let doubts = 0;
    const runs = createHostRuns(
      { mode: "auto" },
      async () => containment(gone),
      examine,
      () => {
        doubts += 1;
      },
    );
    expect(await runs.programs(person)(CHECK, "/p")).toBe("npm test");
    await expect(runs.programs({ ...person, isByPerson: false })(CHECK, "/p")).rejects.toThrow(
      "no sandbox here (bubblewrap is not installed)",
    );
    expect(doubts).toBe(1);
  });

  it("is none where everything is to run contained and nothing can be", async () => {
    const runs = createHostRuns({ mode: "on" }, async () => containment(gone), examine);
    await expect(runs.programs(person)(CHECK, "/p")).rejects.toThrow("sandbox: on");
  });
});
