import { beforeEach, describe, expect, it } from "vitest";
import { isOneShot } from "../../src/host/opencode/adapter.ts";
import { openOneShot } from "../../src/host/opencode/one-shot.ts";
import type { OneShot } from "../../src/host/port.ts";

const argv = (...args: string[]): string[] => ["bun", "/$bunfs/root/src/index.js", ...args];

describe("a process that carries out one request", () => {
  it.each<[boolean, string[]]>([
    [true, ["run", "Go"]],
    [true, ["--print-logs", "--log-level", "DEBUG", "run", "--agent", "gaia", "Go"]],
    [false, []],
    [false, ["serve", "--port", "1"]],
    [false, ["/projects/run"]],
    [false, ["--log-level", "run"]],
    [false, ["run", "--attach", "http://localhost:1", "Go"]],
    [false, ["run", "--attach=http://localhost:1", "Go"]],
    [false, ["run", "--interactive"]],
  ])("is %s: %j", (expected, args) => {
    expect(isOneShot(argv(...args))).toBe(expected);
  });
});

describe("what it prints", () => {
  let out: string[];
  let passed: string;
  let exit: (code: number) => void;
  let exited: number | null;
  const stderr = { write: (_text: string | Uint8Array): boolean => true };
  const LINE = "! permission requested: edit (a.txt, b.txt); auto-rejecting";
  const REQUEST = { permission: "edit", patterns: ["a.txt", "b.txt"] };

  const signals = new Map<NodeJS.Signals, () => void>();
  let isTTY: boolean;

  beforeEach(() => {
    signals.clear();
    isTTY = true;
    [out, passed, exited] = [[], "", null];
    stderr.write = (text) => {
      passed += String(text);
      return true;
    };
  });
  function open(...args: string[]): OneShot {
    return openOneShot(
      {
        argv: argv("run", ...args),
        stderr,
        on: (_event, listener) => {
          exit = listener;
        },
        exit: (code) => {
          exited = code;
        },
        pid: 7,
        stdin: { isTTY },
        once: (signal, listener) => {
          signals.set(signal, listener);
        },
        kill: (pid, signal) => out.push(`kill ${pid} ${signal}`),
      },
      (stream, text) => out.push(`${stream} ${text}`),
    );
  }
  const printed = (): void => {
    stderr.write(LINE);
    stderr.write("\n");
  };

  it("ends with the outcome in words and as the exit code", () => {
    const run = open("Go");
    run.atEnd(() => ({ session: "root", exitCode: 2, text: "GAIA: blocked", facts: { outcome: "blocked" } }));
    exit(0);
    expect([out, exited]).toEqual([["2 GAIA: blocked\n"], 2]);
  });

  it("survives a failure of the plugin's", () => {
    open("Go").atEnd(() => {
      throw new Error("no");
    });
    exit(0);
    expect([out, exited]).toEqual([[], null]);
  });

  it("tells one that is true, and at the end one of which nothing was heard", () => {
    const run = open("Go");
    printed();
    expect(passed).toBe("");
    run.settled(REQUEST, false);
    expect(passed).toBe(`${LINE}\n`);
    run.settled(REQUEST, false);
    printed();
    expect(passed).toBe(`${LINE}\n`.repeat(2));
    printed();
    exit(0);
    expect(passed).toBe(`${LINE}\n`.repeat(3));
  });
});
