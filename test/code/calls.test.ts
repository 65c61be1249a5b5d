import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createCodeCalls } from "../../src/extras/language-servers/calls.ts";
import type { EditErrors } from "../../src/extras/language-servers/edit-errors.ts";
import { createCodeProject } from "./project.ts";

it("edits of one file that run side by side are each told of what came with them or before, and of nothing twice", async () => {
  const { directory, place, input, remove } = await createCodeProject({});
  onTestFinished(remove);
  const file = join(directory, "a.ts");
  const wrongIn = (text: string): string[] => text.split("\n").filter((line) => line.includes("wrong"));
  const errors: Pick<EditErrors, "newErrors"> = {
    async newErrors([edited]) {
      const were = wrongIn(edited?.before ?? "");
      return wrongIn(await readFile(file, "utf8")).filter((line) => !were.includes(line));
    },
  };
  const calls = createCodeCalls(input, undefined, errors);
  const begin = async (id: string, path = "a.ts"): Promise<void> => calls.begins(id, [path], directory);
  await writeFile(file, "fine\n");
  // Two calls of one answer: the second is made before the first is looked at.
  await Promise.all([begin("one"), begin("two", file)]);
  await writeFile(file, "fine\nwrong 1\nwrong 2\n");
  const head = "New errors since this edit, by the language server:";
  expect(await Promise.all([calls.ended("one", place), calls.ended("two", place)])).toEqual([
    [head, "wrong 1", "wrong 2"],
    [],
  ]);
  // The second is made while the first is looked at.
  await Promise.all([begin("three"), begin("four")]);
  await writeFile(file, "wrong 1\nwrong 2\nwrong 3\n");
  expect(await calls.ended("three", place)).toEqual([head, "wrong 3"]);
  await writeFile(file, "wrong 1\nwrong 2\nwrong 3\nwrong 4\n");
  expect(await calls.ended("four", place)).toEqual([head, "wrong 4"]);
  expect(await calls.ended("four", place)).toEqual([]);
});
