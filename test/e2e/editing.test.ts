import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { messagesOf } from "../../src/scripted-model/request.ts";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { HEPHAESTUS_DONE } from "./collaboration-scenes.ts";

let project: Project;

/** What tools said to the specialist, in order. */
const told = (): string[] =>
  messagesOf(project.model.requestsOf("hephaestus").at(-1)?.body ?? {})
    .filter((message) => message["role"] === "tool")
    .map((message) => String(message["content"]));

/** The anchor of the first line with this text, as it was shown last. */
const at = (text: string): string => {
  const lines = told()
    .toReversed()
    .flatMap((each) => each.split("\n"));
  return lines.find((line) => line.endsWith(`: ${text}`))?.split(":")[0] ?? `no line ${text}`;
};

const path = (name: string): string => join(project.directory, name);

describe("edits by anchors", () => {
  const edit = (file: string, ...edits: object[]): Turn => call("edit_gaia", { file, edits });
  const read = (file: string, from = 1): Turn => call("read", { filePath: path(file), offset: from });
  beforeAll(async () => {
    project = await openProject({
      files: {
        "crlf.txt": "one\r\ntwo\r\nthree\r\n",
        "mark.txt": "\uFEFFone\ntwo\n",
        "empty.txt": "",
        "long.txt": `a\n${"x".repeat(5_000)}\nb\n`,
        "mac.txt": "one\rtwo\r",
        "big.txt": Array.from({ length: 10_000 }, (_, line) => `line ${line + 1}\n`).join(""),
        "four.txt": "one\ntwo\nthree\nfour\n",
      },
      gaia: {
        mode: "autopilot",
        editing: "anchored",
        agents: { hephaestus: { model: "scripted/main" } },
      },
    });
    project.autoAnswer(() => "once");
  });
  afterAll(async () => project.close());

  it("keep what a file is like, and say what they cannot do in words that lead on", async () => {
    const cases: readonly [step: Turn | (() => Turn), answer?: RegExp | string][] = [
      [read("crlf.txt")],
      [() => edit("crlf.txt", { op: "replace", from: at("two"), lines: ["zwei", "2b"] }), "after 2 by +1"],
      [read("mark.txt")],
      [() => edit("mark.txt", { op: "replace", from: at("one"), lines: "eins" }), "Changed mark.txt."],
      [read("empty.txt")],
      [edit("empty.txt", { op: "insert_after", from: "0", lines: "first" }), "Changed empty.txt."],
      [read("long.txt")],
      [
        edit("long.txt", { op: "delete", from: "2#abcd" }),
        /2#abcd is stale\. Nothing was changed[^]*\n2: x{100}… \(5000 characters: only a command changes it\)/,
      ],
      [() => edit("long.txt", { op: "insert_after", from: at("a"), lines: "aa" }), /^Changed [^]{0,260}$/],
      [read("mac.txt")],
      [
        edit("mac.txt", { op: "replace", from: "1#abcd", lines: "x" }),
        "carriage returns that end no line. Change",
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
          return call("edit_gaia", { file: "four.txt", edits: JSON.stringify(edits) });
        },
        "Changed four.txt.",
      ],
      [read("big.txt", 9_998)],
      [() => edit("big.txt", { op: "replace", from: at("line 10000"), lines: "end" }), "10000#"],
      [() => edit("big.txt", { op: "delete", from: at("line 9998"), to: at("end") }), "after 10000 by -3"],
    ];
    project.model.script(
      "gaia",
      call("delegate_gaia", { agent: "hephaestus", goal: "change it" }),
      say("Done."),
    );
    project.model.script("hephaestus", ...cases.map(([step]) => step), result(HEPHAESTUS_DONE));
    await project.prompt("gaia", "Change them");
    const answers = told();
    for (const [index, [, answer]] of cases.entries())
      if (answer !== undefined) expect(answers[index]).toMatch(answer);
    const texts: Record<string, string> = {
      "crlf.txt": "one\r\nzwei\r\n2b\r\nthree\r\n",
      "mark.txt": "\uFEFFeins\ntwo\n",
      "empty.txt": "first\n",
      "long.txt": `a\naa\n${"x".repeat(5_000)}\nb\n`,
      "mac.txt": "one\rtwo\r",
      "four.txt": "zero\n1\nthree\nfour\nfive\n",
    };
    for (const [name, text] of Object.entries(texts)) expect(await project.read(name)).toBe(text);
    expect((await project.read("big.txt")).endsWith("line 9996\nline 9997\n")).toBe(true);
  });
});
