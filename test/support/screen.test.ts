import { expect, it } from "vitest";
import { createScreen } from "./screen.ts";

const ESCAPE = "\u001B";

it("shows what was written where, whatever the colours", () => {
  const screen = createScreen(10, 3);
  screen.write(`${ESCAPE}[2;3H${ESCAPE}[38;2;1;2;3;48;2;0;0;0mhi${ESCAPE}[0m ●${ESCAPE}]0;a title\u0007`);
  expect(screen.text()).toBe("\n  hi ●\n");
  screen.write(`${ESCAPE}[1;1Habc\r\nd${ESCAPE}[K`);
  expect(screen.text()).toBe("abc\nd\n");
  screen.write(`${ESCAPE}[2J`);
  expect(screen.text()).toBe("\n\n");
});

it("goes on where a chunk was cut", () => {
  const screen = createScreen(10, 2);
  for (const part of [`a${ESCAPE}`, "[2;", "4Hb", `${ESCAPE}]0;ti`, "tle\u0007c"]) screen.write(part);
  expect(screen.text()).toBe("a\n   bc");
});

it("answers what a program asks before it draws, each question once", () => {
  const screen = createScreen(10, 2);
  expect(screen.write(`${ESCAPE}[6n${ESCAPE}[6n${ESCAPE}[`)).toEqual([`${ESCAPE}[1;1R`, `${ESCAPE}[1;1R`]);
  expect(screen.write("c")).toEqual([`${ESCAPE}[?62;22c`]);
});
