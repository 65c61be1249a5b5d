import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTask, createTaskList, renderList, renderTask } from "../src/index.js";

describe("due dates", () => {
  it("belong to a task that is given one, and only to it", () => {
    assert.equal(createTask(1, { title: "Pay rent", due: "2026-03-01" }).due, "2026-03-01");
    assert.equal("due" in createTask(1, { title: "Buy milk" }), false);
  });

  it("must be days that exist", () => {
    assert.throws(
      () => createTask(1, { title: "Pay rent", due: "2026-02-30" }),
      /A due date is a day as YYYY-MM-DD, not "2026-02-30"\./,
    );
    assert.throws(() => createTask(1, { title: "Pay rent", due: "soon" }), TypeError);
  });

  it("let the list say what is overdue, the oldest first", () => {
    const list = createTaskList();
    list.add({ title: "Pay rent", due: "2026-03-01" });
    list.add({ title: "Buy milk" });
    list.add({ title: "Renew passport", due: "2026-02-10" });
    list.add({ title: "File taxes", due: "2026-05-31" });
    assert.deepEqual(
      list.overdue("2026-03-02").map(({ title }) => title),
      ["Renew passport", "Pay rent"],
    );
  });

  it("are shown, and stand out when they have passed", () => {
    const task = createTask(1, { title: "Pay rent", due: "2026-03-01" });
    assert.equal(renderTask(task), "[ ] 1 Pay rent (due 2026-03-01)");
    assert.equal(renderTask(task, "2026-03-02"), "[ ] 1 Pay rent (overdue since 2026-03-01)");
    assert.equal(renderList([task], "2026-03-02"), "[ ] 1 Pay rent (overdue since 2026-03-01)");
  });
});
