import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTaskList } from "../src/index.js";

describe("a task list", () => {
  it("numbers tasks from 1 and keeps their order", () => {
    const list = createTaskList();
    list.add({ title: "Buy milk" });
    list.add({ title: "Pay rent" });
    assert.deepEqual(
      list.all().map(({ id, title }) => `${id} ${title}`),
      ["1 Buy milk", "2 Pay rent"],
    );
  });

  it("goes on from an earlier list", () => {
    const earlier = createTaskList();
    earlier.add({ title: "Buy milk" });
    assert.equal(createTaskList(earlier.all()).add({ title: "Pay rent" }).id, 2);
  });

  it("tells done from open", () => {
    const list = createTaskList();
    list.add({ title: "Buy milk" });
    list.add({ title: "Pay rent" });
    list.complete(1);
    assert.deepEqual(
      list.open().map(({ title }) => title),
      ["Pay rent"],
    );
  });

  it("names an id that it does not know", () => {
    assert.throws(() => createTaskList().complete(3), /There is no task 3\./);
  });
});
