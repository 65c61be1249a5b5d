import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { createWorktrees, type Worktrees } from "../../../src/conversation/worktrees/worktrees.ts";
import { type Task } from "../../../src/delegation/task.ts";
import { openFolder } from "../../support/directory.ts";
import { createFakeHost } from "../../support/fake-host.ts";
import { examined } from "../../support/examination.ts";
import { keeping, keepingOf } from "../../support/kept.ts";

let to: string;
let disposed: string[];
let opened: string[];
let tasks: Task[];
let found: { from: string; to: string } | string;
beforeEach(async () => {
  to = await openFolder();
  [disposed, opened, tasks, found] = [[], [], [], { from: "/project", to }];
});

function create({ remember } = keeping()): Worktrees {
  return createWorktrees(
    {
      rootId: "root",
      tasks: () => tasks,
      remember,
    },
    {
      openWorkplace(from, folder) {
        opened.push(folder);
        const place = { directory: folder, project: folder };
        return {
          from,
          to: folder,
          place,
          examine: async () => examined("read"),
          containment: Object.assign(async () => Promise.reject(new Error("none")), {
            dispose: () => undefined,
          }),
          dispose: () => void disposed.push(folder),
        };
      },
      lanes: "auto",
      host: createFakeHost("/project"),
    },
    async (_project, _mode, rootId, name) =>
      rootId === "root" && name === "unit/1" ? found : "it was removed",
  );
}

it("the worktrees of a conversation are found again after a restart, by those who worked in them alone", async () => {
  const memory = keeping();
  const before = create(memory);
  before.open("unit/1", "/project", to);
  before.enter("one", "unit/1");
  const worktrees = create(keeping(memory.kept()));
  expect(worktrees.describe()).toBe("in worktrees, not landed: unit/1");
  await worktrees.settle("another");
  expect(opened).toHaveLength(1);
  await worktrees.settle("one");
  expect(worktrees.of("one")?.to).toBe(to);
  expect(worktrees.describe()).toBe("in worktrees, not landed: unit/1");
  await worktrees.settle("one");
  expect(opened).toHaveLength(2);
});

it("the worktrees of a conversation refuse a session whose worktree is gone, be it before or after a restart", async () => {
  const live = create();
  live.open("unit/1", "/project", join(to, "gone"));
  live.enter("one", "unit/1");
  expect(await live.settle("one")).toContain("the worktree unit/1, and nowhere else: it was removed");
  expect(live.describe()).toBeNull();
  const worktrees = create(
    keepingOf({
      worktrees: [
        { name: "unit/2", sessions: ["two"] },
        { name: "unit/1", sessions: ["one"] },
      ],
    }),
  );
  expect(await worktrees.settle("two")).toContain("the worktree unit/2, and nowhere else: it was removed");
  expect(worktrees.of("two")).toBeNull();
  found = "lanes is off now";
  expect(await worktrees.settle("one")).toContain("lanes is off now");
});
