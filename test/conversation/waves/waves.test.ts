import { expect, it } from "vitest";
import { createWaves } from "../../../src/conversation/waves/waves.ts";
import type { WaveLedger } from "../../../src/record/workspace.ts";
import type { Task } from "../../../src/delegation/task.ts";
import { isRefusal, refuse } from "../../../src/lib/error.ts";
import { initialState } from "../../../src/conversation/collaboration/state.ts";
import { createTestServices } from "../../support/services.ts";
import { DEFAULTS } from "../collaboration/session.ts";
import { keeping } from "../../support/kept.ts";

/** The waves of a conversation in which w1 is open, with its ledger and what would be kept over a restart. */
function openWaves() {
  const { host, workspace } = createTestServices();
  const disk = { ledger: [] as WaveLedger, fails: false };
  /** What a kill would leave of it. */
  let kept: unknown;
  const state = { ...initialState("root", DEFAULTS, 0), wave: { id: "w1", workUnit: "unit" } as never };
  const make = (saved?: unknown) => {
    const memory = keeping(saved);
    const mirrored = async (): Promise<void> => void (kept = memory.kept());
    const waves = createWaves(
      { rootId: "root", state, remember: memory.remember, mirrored },
      {
        host,
        workspace: {
          ...workspace,
          readWaves: async () => ({ ok: true, waves: disk.ledger, warnings: [] }) as never,
          changeWaves: async ({ change }) => {
            if (disk.fails) throw new Error("the disk is full");
            const changed = change(disk.ledger);
            disk.ledger = changed.waves ?? disk.ledger;
            return { ok: true, told: changed.told } as never;
          },
        },
      },
    );
    return waves;
  };
  return { disk, make, waves: make(), kept: () => kept };
}

const work = (call: string, agent = "hephaestus") => {
  return { call, agent, edits: true, workUnit: "unit", waveId: "w1" };
};
const ended = (callId: string, agent = "hephaestus", status = "completed", startedAt: number | null = 1) => {
  const outcome = { status, message: "No access. Ask.", envelope: null };
  return { callId, agent, startedAt, outcome } as unknown as Task;
};
/** Closes it unless something failed. @returns what holds it open; empty for nothing */
const close = async (waves: ReturnType<typeof createWaves>, meanwhile = async () => {}): Promise<string> => {
  const refused = await waves.close("w1", "unit", async ({ failed }) => {
    await meanwhile();
    return failed === "" ? null : refuse(failed);
  });
  return refused?.reason ?? "";
};

it("a ledger that fails once, however it does, holds up no later wave", async () => {
  const { disk, waves } = openWaves();
  const open = async () => waves.open("w1", "unit", async () => true);
  disk.fails = true;
  await expect(open()).rejects.toThrow("the disk is full");
  disk.fails = false;
  expect(await open()).toBeNull();
});

it("is not closed by checks that ran while work began and ended in it, and is by those that come after", async () => {
  const { waves } = openWaves();
  const reason = await close(waves, async () => {
    expect(isRefusal(await waves.begin(work("c")))).toBe(false);
    waves.taskChanged(ended("c"));
  });
  expect(reason).toContain("while wave w1 was being completed");
  expect(await close(waves)).toBe("");
});

it("is held up by a failure until the same agent, or one that edits as well, has done it after that", async () => {
  const { waves } = openWaves();
  await waves.begin(work("early", "artemis"));
  await waves.begin(work("a"));
  waves.taskChanged(ended("a", "hephaestus", "failed"));
  waves.taskChanged(ended("early", "artemis"));
  await waves.begin(work("never"));
  waves.taskChanged(ended("never", "hephaestus", "cancelled", null));
  expect(await close(waves)).toBe("hephaestus failed (No access)");
  await waves.begin(work("b", "eleuthia"));
  expect(await close(waves)).toContain("eleuthia still works in wave w1");
  waves.taskChanged(ended("b", "eleuthia"));
  expect(await close(waves)).toBe("");
});

it("knows after a kill what was at work in it, and after a restart what failed as well", async () => {
  const { make, waves, kept } = openWaves();
  await waves.begin(work("a"));
  const killed = make(kept());
  expect(await close(killed)).toBe("hephaestus was interrupted");
  waves.taskChanged(ended("a", "hephaestus", "failed"));
  await waves.begin(work("b", "minerva"));
  const again = make(kept());
  expect(await close(again)).toBe("hephaestus failed (No access); minerva was interrupted");
});
