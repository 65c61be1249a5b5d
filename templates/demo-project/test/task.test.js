import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { completeTask, createTask } from "../src/index.js";

describe("a task", () => {
  it("has an id, a trimmed title, and is not done", () => {
    assert.deepEqual({ ...createTask(7, { title: "  Buy milk " }) }, { id: 7, title: "Buy milk", done: false });
  });

  it("cannot be without a title", () => {
    assert.throws(() => createTask(1, { title: "  " }), /A task needs a title, not "  "\./);
    assert.throws(() => createTask(1, {}), TypeError);
  });

  it("is not changed by being completed", () => {
    const task = createTask(1, { title: "Buy milk" });
    assert.equal(completeTask(task).done, true);
    assert.equal(task.done, false);
    assert.ok(Object.isFrozen(completeTask(task)));
  });
});
