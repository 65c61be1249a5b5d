#!/usr/bin/env node
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createTaskList, renderList } from "./index.js";

const FILE = "errands.json";

const list = createTaskList(existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")) : []);
const [command = "list", argument] = process.argv.slice(2);

try {
  if (command === "add") list.add({ title: argument });
  else if (command === "done") list.complete(Number(argument));
  else if (command !== "list") throw new TypeError(`There is no command ${JSON.stringify(command)}.`);
  if (command !== "list") writeFileSync(FILE, `${JSON.stringify(list.all(), null, 2)}\n`);
  console.log(renderList(list.all()));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
