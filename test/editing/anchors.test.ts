import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAnchors } from "../../src/extras/anchored-edits/anchors.ts";
import { anchorOf, readLines } from "../../src/extras/anchored-edits/lines.ts";
import type { AnchoredEdit } from "../../src/extras/anchored-edits/work-out.ts";
import { markLines } from "../../src/host/opencode/hooks.ts";
import type { FileToolCall } from "../../src/host/port.ts";
import { isRefusal } from "../../src/lib/error.ts";
import { createRepository, fileCall, type Repository } from "./scene.ts";
import { readCases } from "../support/cases.ts";

let repository: Repository;

const redact = (text: string): string => text.replaceAll("hunter2", "[hidden]");

const marksOf =
  (hashOf: (line: number, text: string) => string | null) =>
  (line: number, text: string): string | null => {
    const hash = hashOf(line, text);
    return hash === null ? null : `#${hash}`;
  };

/** A session that reads and edits, as the hook and the tool have it. */
function begin() {
  const anchors = createAnchors({ redact, allowSensitive: [] });
  return {
    /** @returns what is shown */
    async read(file: string, from = 1, to = Infinity): Promise<string> {
      const text = (await repository.read(file)).replace(/^\uFEFF/, "");
      const rows = text
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => redact(line.replace(/\r$/, "")));
      const shown = text === "" ? [] : rows.map((row, at) => `${at + 1}: ${row}`).slice(from - 1, to);
      const output = `<path>x</path>\n<type>file</type>\n<content>\n${shown.join("\n")}\n\n(End of file - total ${rows.length} lines)\n</content>`;
      const found = await anchors.show("s", join(repository.directory, file));
      return found === null ? output : markLines(output, marksOf(found));
    },
    async edit(edits: readonly AnchoredEdit[], file = "a.ts", by: Partial<FileToolCall> = {}) {
      const prepared = await anchors.prepare({ file, edits: [...edits] }, repository.place);
      if (isRefusal(prepared)) return `refused: ${prepared.reason} ${prepared.hint}`.trim();
      return prepared.run(fileCall(by)).then(
        ({ text }) => text,
        (error: unknown) => `failed: ${String(error)}`,
      );
    },
  };
}

/** The anchor of a line as the file is now. */
async function at(line: number, file = "a.ts"): Promise<string> {
  const found = readLines(await repository.bytes(file))?.[line - 1];
  if (found === undefined) throw new Error(`${file} has no line ${line}`);
  return anchorOf(line, found.hash);
}

const replace = (from: string, lines: AnchoredEdit["lines"], to?: string): AnchoredEdit => ({
  op: "replace",
  from,
  lines,
  ...(to === undefined ? {} : { to }),
});

it("a reading carries a hash at every line that is shown as it is, and none elsewhere", async () => {
  const long = "x".repeat(3_000);
  repository = await createRepository({ "a.ts": `one\n\n  12: two\npass hunter2\n${long}\none\n` });
  const output = [
    "<path>/p/a.ts</path>",
    "<type>file</type>",
    "<content>",
    "1: one",
    "2: ",
    "3:   12: two",
    "4: pass [hidden]",
    `5: ${long.slice(0, 2_000)}... (line truncated to 2000 chars)`,
    "6: one",
    "",
    "(End of file - total 6 lines)",
    "</content>",
    "",
    "<system-reminder>",
    "7: no line of the file",
    "</system-reminder>",
  ].join("\n");
  const anchors = createAnchors({ redact, allowSensitive: [] });
  const found = await anchors.show("s", join(repository.directory, "a.ts"));
  const marked = markLines(output, found === null ? () => null : marksOf(found)).split("\n");
  expect(marked[3]).toMatch(/^1#[a-z0-9]{4}: one$/);
  expect(marked[4]).toMatch(/^2#[a-z0-9]{4}: $/);
  expect(marked[5]).toMatch(/^3#[a-z0-9]{4}: {3}12: two$/);
  // The same text behind another line is another line.
  expect(marked[8]?.slice(1)).not.toBe(marked[3]?.slice(1));
  const untouched = [0, 1, 2, 6, 7, 9, 10, 11, 12, 13, 14, 15];
  expect(untouched.map((index) => marked[index])).toEqual(
    untouched.map((index) => output.split("\n")[index]),
  );
});

describe("edits by anchors", () => {
  it("are made together, with line ends, mark, mode and the end of the file kept, and tell what is there now", async () => {
    repository = await createRepository({ "a.ts": "\uFEFFone\r\ntwo\r\nthree\r\nfour" });
    await chmod(join(repository.directory, "a.ts"), 0o755);
    const { read, edit } = begin();
    await read("a.ts");
    const asked: string[] = [];
    const text = await edit(
      [
        { op: "delete", from: await at(4) },
        replace(await at(2), ["2", "zwei"]),
        { op: "insert_after", from: "0", lines: "zero\n" },
      ],
      "a.ts",
      { askToEdit: async (paths, diff) => void asked.push(...paths, diff) },
    );
    expect((await repository.bytes("a.ts")).toString()).toBe("\uFEFFzero\r\none\r\n2\r\nzwei\r\nthree");
    expect((await stat(join(repository.directory, "a.ts"))).mode & 0o777).toBe(0o755);
    expect(text).toMatch(
      /^Changed a\.ts\. Lines moved: after 0 by \+1, after 2 by \+1, after 4 by -1\. As it is now:\n1#/,
    );
    expect(text).toContain(`${await at(3)}: 2\n${await at(4)}: zwei\n`);
    expect(asked[0]).toBe("a.ts");
    expect(asked[1]).toMatch(/^--- a\.ts\n\+\+\+ a\.ts\n@@ -0,0 \+1,1 @@\n\+zero\n@@ -2,3 \+3,3 @@\n-two\n/);
  });

  it.each(readCases<[string, string, AnchoredEdit[], string]>("editing/anchors.are-right"))(
    "are right %s",
    async (_where, before, edits, after) => {
      repository = await createRepository({ "a.ts": before });
      const { read, edit } = begin();
      await read("a.ts");
      const named = await Promise.all(
        edits.map(async (each) => ({
          ...each,
          from: Number(each.from) === 0 ? "0" : await at(Number(each.from)),
          ...("to" in each && each.to !== undefined ? { to: await at(Number(each.to)) } : {}),
        })),
      );
      expect(await edit(named)).toMatch(/^Changed/);
      expect(await repository.read("a.ts")).toBe(after);
    },
  );

  it("are not made on what is not there any more, and show what is", async () => {
    repository = await createRepository({ "a.ts": "a\nb\nc\nsecret\n" });
    const { read, edit } = begin();
    await read("a.ts");
    const [second, third] = [await at(2), await at(3)];
    await repository.write("a.ts", "a\nnew\nb\nc\nhunter2\n");
    const text = await edit([replace(second, "B"), replace(third, "C")]);
    expect(text).toContain(
      `refused: a.ts: It has changed since it was read. ${second} is stale. ${third} is stale. Nothing was changed. As it is now:`,
    );
    expect(text).toContain(`\n${await at(3)}: b\n${await at(4)}: c\n`);
    expect(await repository.read("a.ts")).toBe("a\nnew\nb\nc\nhunter2\n");
    // What it was shown now it has seen, but for what was hidden of it.
    expect(await edit([replace(await at(5), "x")])).toMatch(/Line 5 was not read, or not whole/);
    expect(await edit([replace(await at(3), "B", await at(4))])).toMatch(/^Changed/);
    expect(await repository.read("a.ts")).toBe("a\nnew\nB\nhunter2\n");
  });

  it("are not made where a line between two anchors is another one, or was never read", async () => {
    repository = await createRepository({ "a.ts": "a\nb\nc\nd\ne\n" });
    const { read, edit } = begin();
    await read("a.ts");
    const [first, last] = [await at(1), await at(5)];
    await repository.write("a.ts", "a\nb\nTHEIRS\nd\ne\n");
    expect(await edit([replace(first, "x", last)])).toMatch(/It has changed since it was read/);
    const partly = begin();
    await partly.read("a.ts", 1, 2);
    await partly.read("a.ts", 4, 5);
    expect(await partly.edit([{ op: "delete", from: first, to: last }])).toMatch(/Line 3 was not read/);
    expect(await repository.read("a.ts")).toBe("a\nb\nTHEIRS\nd\ne\n");
  });

  it.each(readCases<[string, object[], RegExp]>("editing/anchors.refused"))(
    "that are %s are refused in words, and nothing is changed",
    async (_what, edits, words) => {
      repository = await createRepository({ "a.ts": "a\nb\nc\n" });
      const { read, edit } = begin();
      await read("a.ts");
      const [one, two] = [await at(1), await at(2)];
      const named = JSON.stringify(edits).replaceAll("<1>", one).replaceAll("<2>", two);
      const text = await edit(JSON.parse(named) as AnchoredEdit[]);
      expect(text).toMatch(/^refused: a\.ts/);
      expect(text).toMatch(words);
      expect(await repository.read("a.ts")).toBe("a\nb\nc\n");
    },
  );

  it.each(readCases<[string, RegExp]>("editing/anchors.of-are-refused-by-name"))(
    "of %s are refused by name",
    async (file, words) => {
      repository = await createRepository({
        "a.ts": "a\n",
        "b.ts": "b\n",
        ".env": "A=b\n",
        "b.bin": Buffer.from([0xff, 0x0a]),
        "src/c.ts": "",
      });
      const { read, edit } = begin();
      await read("a.ts");
      expect(await edit([replace(await at(1), "x")], file)).toMatch(words);
    },
  );

  it("leave every other byte of any file alone", async () => {
    repository = await createRepository({});
    const line = fc.string({ unit: fc.constantFrom("a", "é", " ", "\t", "#", "\r"), maxLength: 4 });
    const file = fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n")), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        file,
        fc.boolean(),
        fc.boolean(),
        fc.nat(),
        fc.array(fc.constantFrom("x", "y", "  z"), { maxLength: 3 }),
        async (rows, mark, isOpen, pick, fresh) => {
          const raw = rows.map(([text, end]) => text + end).join("");
          const before = Buffer.from((mark ? "\uFEFF" : "") + (isOpen ? raw.replace(/\r?\n$/, "") : raw));
          await repository.write("p.ts", before);
          const lines = readLines(before) ?? [];
          if (lines.length === 0) return;
          const chosen = pick % lines.length;
          const { start, end, hash, text } = lines[chosen]!;
          const anchors = createAnchors({ redact: (each) => each, allowSensitive: [] });
          const hashOf = await anchors.show("s", join(repository.directory, "p.ts"));
          hashOf?.(chosen + 1, text);
          const edit = replace(anchorOf(chosen + 1, hash), fresh);
          const prepared = await anchors.prepare({ file: "p.ts", edits: [edit] }, repository.place);
          if (isRefusal(prepared)) return;
          await prepared.run(fileCall());
          const after = await repository.bytes("p.ts");
          const above = lines[chosen - 1];
          const isCut = fresh.length === 0 && chosen === lines.length - 1 && above !== undefined;
          const head = isCut ? above.end - above.lineEnd.length : start;
          expect(after.subarray(0, head)).toEqual(before.subarray(0, head));
          const tail = before.subarray(end);
          expect(after.subarray(after.length - tail.length)).toEqual(tail);
          const kept = readLines(after)?.map((each) => each.text);
          const wanted = [
            ...lines.slice(0, chosen).map((each) => each.text),
            ...fresh,
            ...lines.slice(chosen + 1).map((each) => each.text),
          ];
          // An empty line without an end is no line.
          if (lines.at(-1)?.lineEnd === "" && wanted.at(-1) === "") wanted.pop();
          expect(kept).toEqual(wanted);
        },
      ),
      { numRuns: 150 },
    );
  });
});
