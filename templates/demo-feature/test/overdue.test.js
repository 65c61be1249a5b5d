import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTask, createTaskList, renderTask } from "../src/index.js";

describe("overdue", () => {
  it("begins on the day after the due date", () => {
    const list = createTaskList();
    list.add({ title: "Pay rent", due: "2026-03-01" });
    assert.deepEqual(list.overdue("2026-03-01"), []);
    assert.equal(list.overdue("2026-03-02").length, 1);
  });

  it("ends when the task is done", () => {
    const list = createTaskList();
    list.add({ title: "Pay rent", due: "2026-03-01" });
    const done = list.complete(1);
    assert.deepEqual(list.overdue("2027-01-01"), []);
    assert.equal(renderTask(done, "2027-01-01"), "[x] 1 Pay rent (due 2026-03-01)");
  });

  it("knows the 29th of February in a leap year only", () => {
    assert.equal(createTask(1, { title: "Leap", due: "2028-02-29" }).due, "2028-02-29");
    assert.throws(() => createTask(1, { title: "Leap", due: "2027-02-29" }), TypeError);
  });
});
