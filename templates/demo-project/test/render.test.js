import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTaskList, renderList } from "../src/index.js";

describe("the rendered list", () => {
  it("has a line for each task", () => {
    const list = createTaskList();
    list.add({ title: "Buy milk" });
    list.add({ title: "Pay rent" });
    list.complete(2);
    assert.equal(renderList(list.all()), "[ ] 1 Buy milk\n[x] 2 Pay rent");
  });

  it("says so when there is nothing", () => {
    assert.equal(renderList([]), "Nothing to do.");
  });
});
