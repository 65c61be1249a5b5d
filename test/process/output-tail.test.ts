import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOutputTail } from "../../src/process/output.ts";

function tailOf(...chunks: (string | Buffer)[]): string {
  const tail = createOutputTail(32_768);
  for (const chunk of chunks) tail.write("stdout", Buffer.from(chunk as string));
  return tail.whole();
}

describe("createOutputTail", () => {
  it.each([
    ["colours", "\u001B[31mred\u001B[0m plain", "red plain"],
    ["links and titles", "\u001B]8;;http://x\u0007text\u001B]8;;\u0007", "text"],
    ["a progress bar", "10%\r50%\r100%\ndone\r\n", "100%\ndone"],
    ["control characters", "a\u0000b\u0008c\td", "abc\td"],
    ["empty lines at the end", "x\n\n\n", "x"],
  ])("makes %s readable", (_name, raw, expected) => {
    expect(tailOf(raw)).toBe(expected);
  });

  it("keeps the last of several lines that are longer than what is kept, and of many pieces whole lines", () => {
    const long = (sign: string): string => `${sign.repeat(70_000)}\n`;
    expect(tailOf(long("a"), long("b")).endsWith("b".repeat(30_000))).toBe(true);
    const rows = Array.from({ length: 20_000 }, (_, at) => `line ${at}\n`);
    expect(tailOf(...rows)).toMatch(/^line \d+\nline/);
    expect(tailOf(...rows).length).toBeGreaterThan(30_000);
    expect(tailOf(rows.join("")).length).toBeLessThan(70_000);
  });

  it("joins characters that arrive in pieces", () => {
    const bytes = Buffer.from("grün ✓\n");
    expect(tailOf(...[...bytes].map((byte) => Buffer.from([byte])))).toBe("grün ✓");
  });

  it("does not tear a line of one stream by the other", () => {
    const tail = createOutputTail();
    tail.write("stdout", Buffer.from("half "));
    tail.write("stderr", Buffer.from("warning\n"));
    tail.write("stdout", Buffer.from("line\n"));
    expect(tail.whole()).toBe("warning\nhalf line");
  });

  it("shows the end of any output, whatever its pieces", () => {
    const lines = fc.array(fc.stringMatching(/^[a-z]{1,30}$/), { minLength: 1, maxLength: 400 });
    const property = fc.property(lines, fc.integer({ min: 1, max: 5_000 }), (all, size) => {
      const bytes = Buffer.from(`${all.join("\n")}\n`);
      const tail = createOutputTail();
      for (let at = 0; at < bytes.length; at += size) tail.write("stdout", bytes.subarray(at, at + size));
      expect(tail.whole().endsWith(all.slice(-10).join("\n"))).toBe(true);
    });
    fc.assert(property, { numRuns: 100 });
  });
});
