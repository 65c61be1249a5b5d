import { expect, it } from "vitest";
import { createWaves } from "../../../src/conversation/waves/waves.ts";
import type { WaveLedger } from "../../../src/record/workspace.ts";
import { isRefusal } from "../../../src/lib/error.ts";
import { initialState } from "../../../src/conversation/collaboration/state.ts";
import { createTestServices } from "../../support/services.ts";
import { DEFAULTS } from "../collaboration/session.ts";

it("a ledger that fails once, however it does, holds up no later wave", async () => {
  const { host, workspace } = createTestServices();
  let fails = true;
  const waves = createWaves(
    { rootId: "root", state: initialState("root", DEFAULTS, 0) },
    {
      host,
      workspace: {
        ...workspace,
        readWaves: async () => ({ ok: true, waves: [], warnings: [] }) as never,
        changeWaves: async ({ change }) => {
          if (fails) throw new Error("the disk is full");
          return { ok: true, told: change([]).told } as never;
        },
      },
    },
  );
  const open = async () => waves.open("w1", "unit", async () => true);
  await expect(open()).rejects.toThrow("the disk is full");
  fails = false;
  expect(await open()).toBeNull();
});

it("is not closed by checks that ran while work began and ended in it, and is by those that come after", async () => {
  const { host, workspace } = createTestServices();
  let ledger: WaveLedger = [];
  const waves = createWaves(
    {
      rootId: "root",
      state: { ...initialState("root", DEFAULTS, 0), wave: { id: "w1", workUnit: "unit" } as never },
    },
    {
      host,
      workspace: {
        ...workspace,
        readWaves: async () => ({ ok: true, waves: ledger, warnings: [] }) as never,
        changeWaves: async ({ change }) => {
          const changed = change(ledger);
          ledger = changed.waves ?? ledger;
          return { ok: true, told: changed.told } as never;
        },
      },
    },
  );
  const close = async (meanwhile = async (): Promise<void> => undefined) =>
    waves.close("w1", "unit", async () => {
      await meanwhile();
      return null;
    });
  const work = { call: "c", agent: "hephaestus", edits: true, workUnit: "unit", waveId: "w1" };
  const refused = await close(async () => {
    expect(isRefusal(await waves.begin(work))).toBe(false);
    waves.taskChanged?.({
      callId: "c",
      startedAt: 1,
      outcome: { status: "completed", message: "", envelope: null, denied: null },
    } as never);
  });
  expect(refused?.reason).toContain("while wave w1 was being completed");
  expect(await close()).toBeNull();
});
