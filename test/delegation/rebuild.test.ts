import { expect, it } from "vitest";
import * as z from "zod/mini";
import { defineContract } from "../../src/contracts/contract.ts";
import { CHILD_METADATA_KEY } from "../../src/delegation/child-session.ts";
import { rebuildTask } from "../../src/delegation/rebuild.ts";
import { createFakeHost, sessionOf, turn } from "../support/fake-host.ts";

const contract = defineContract({}, () => ({ found: z.string() }));
const specialist = { name: "minerva", role: null, contract, models: [], mutates: false };

it("says how to go on where a restart left an answer that does not fit the contract", async () => {
  const host = createFakeHost();
  const metadata = { [CHILD_METADATA_KEY]: { agent: "minerva", tasks: 1 } };
  host.stored.set("ses_1", sessionOf("ses_1", { parentId: "ses_root", metadata }));
  const said = { agent: "minerva", model: "a/one", completed: true } as const;
  host.history.set("ses_1", [{ ...said, role: "assistant", turn: turn("It is in a.ts.") }]);
  const rebuilt = await rebuildTask(host, "ses_root", "task_1_1", () => specialist, "none");
  expect(rebuilt).toMatchObject({
    status: "partial",
    outcome: { text: "It is in a.ts.", message: expect.stringContaining("resume the session") },
  });
});
