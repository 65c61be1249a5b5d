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
    let doubts = 0;
    const runs = createHostRuns(
      { mode },
      async () => containment(isThere ? { kind: "ready" } : gone),
      examine,
      () => void (doubts += 1),
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
    } else if (isFree) expect(ran).toBe("npm test");
    else {
      const all = wanted.isLocked ? "and the session is locked" : mode === "on" ? "sandbox: on" : "";
      const why = mode === "auto" || mode === "on" ? "bubblewrap is not installed" : `sandbox: ${mode}`;
      expect(ran).toMatch(new RegExp(`^Error: no sandbox here.*${all}.*\\(${why}\\)`));
    }
    // What no sandbox holds is told before it runs.
    expect(doubts).toBe(ran === "npm test" ? 1 : 0);
  });
});
