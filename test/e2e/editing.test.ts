import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { call, type Turn } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { delegated, toldTo } from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());

/** The anchor of the first line with this text, as it was shown last. */
const at = (text: string): string => {
  const lines = toldTo(project, "hephaestus")
    .toReversed()
    .flatMap((each) => each.split("\n"));
  return lines.find((line) => line.endsWith(`: ${text}`))?.split(":")[0] ?? `no line ${text}`;
};
const edit = (file: string, edits: unknown): Turn => call("edit_gaia", { file, edits });
const read = (file: string): Turn => call("read", { filePath: join(project.directory, file) });

it("edits by anchors keep what a file is like, and say what they cannot do in words that lead on", async () => {
  project = await openProject({
    files: {
      "crlf.txt": "one\r\ntwo\r\nthree\r\n",
      "empty.txt": "",
      "long.txt": `a\n${"x".repeat(5_000)}\nb\n`,
      "four.txt": "one\ntwo\nthree\nfour\n",
    },
    gaia: { mode: "autopilot", editing: "anchored", agents: { hephaestus: { model: "scripted/main" } } },
  });
  const steps: readonly [step: Turn | (() => Turn), answer?: RegExp | string][] = [
    [read("crlf.txt")],
    [() => edit("crlf.txt", [{ op: "replace", from: at("two"), lines: ["zwei", "2b"] }]), "after 2 by +1"],
    [read("empty.txt")],
    [edit("empty.txt", [{ op: "insert_after", from: "0", lines: "first" }]), "Changed empty.txt."],
    [read("long.txt")],
    [
      edit("long.txt", [{ op: "delete", from: "2#abcd" }]),
      /2#abcd is stale\. Nothing was changed[^]*\n2: x{100}… \(5000 characters: only a command changes it\)/,
    ],
    [read("four.txt")],
    [
      // Beside each other, at the start and at the end, and written as a text.
      () => {
        const edits = [
          { op: "insert_after", from: "0", lines: "zero" },
          { op: "replace", from: at("one"), lines: "1" },
          { op: "delete", from: at("two") },
          { op: "insert_after", from: at("four"), lines: "five" },
        ];
        return edit("four.txt", JSON.stringify(edits));
      },
      "Changed four.txt.",
    ],
  ];
  await delegated(
    project,
    "hephaestus",
    steps.map(([step]) => step),
  );
  const answers = toldTo(project, "hephaestus");
  for (const [index, [, answer]] of steps.entries())
    if (answer !== undefined) expect(answers[index]).toMatch(answer);
  expect(await project.read("crlf.txt")).toBe("one\r\nzwei\r\n2b\r\nthree\r\n");
  expect(await project.read("empty.txt")).toBe("first\n");
  expect(await project.read("four.txt")).toBe("zero\n1\nthree\nfour\nfive\n");
});
