import { expect, it } from "vitest";
import { createWaves } from "../../../src/conversation/waves/waves.ts";
import { isRefusal } from "../../../src/lib/refusal.ts";
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
  await expect(waves.claim("w1", "unit")).rejects.toThrow("the disk is full");
  fails = false;
  const again = await waves.claim("w1", "unit");
  expect(isRefusal(again), JSON.stringify(again)).toBe(false);
});
