import { describe, expect, it } from "vitest";
import { isOneShot } from "../../src/host/opencode/adapter.ts";
import { openOneShot } from "../../src/host/opencode/one-shot.ts";

const argv = (...args: string[]): string[] => ["bun", "/$bunfs/root/src/index.js", ...args];

const LINE = "! permission requested: edit (a.txt, b.txt); auto-rejecting\n";

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
])("a process that carries out one request is %s: %j", (expected, args) => {
  expect(isOneShot(argv(...args))).toBe(expected);
});

/** A run of `opencode run`, and what it prints and ends with. */
function open() {
  const seen = {
    out: [] as string[],
    passed: "",
    exited: null as number | null,
    exit: (_code: number) => {},
  };
  const stderr = {
    write(text: string | Uint8Array): boolean {
      seen.passed += String(text);
      return true;
    },
  };
  const run = openOneShot(
    {
      argv: argv("run", "Go"),
      stderr,
      on: (_event, listener) => void (seen.exit = listener),
      exit: (code) => void (seen.exited = code),
      pid: 7,
      stdin: { isTTY: true },
      once: () => undefined,
      kill: () => undefined,
    },
    (stream, text) => seen.out.push(`${stream} ${text}`),
  );
  const print = (): void => {
    stderr.write(LINE.trimEnd());
    stderr.write("\n");
  };
  return { run, seen, print };
}

describe("what it prints", () => {
  it("ends with the outcome in words and as the exit code", () => {
    const { run, seen } = open();
    run.atEnd(() => ({ session: "root", exitCode: 2, text: "GAIA: blocked", facts: { outcome: "blocked" } }));
    seen.exit(0);
    expect(seen).toMatchObject({ out: ["2 GAIA: blocked\n"], exited: 2 });
  });

  it("survives a failure of the plugin's", () => {
    const { run, seen } = open();
    run.atEnd(() => {
      throw new Error("no");
    });
    seen.exit(0);
    expect(seen).toMatchObject({ out: [], exited: null });
  });

  it("tells one that is true, and at the end one of which nothing was heard", () => {
    const { run, seen, print } = open();
    const settle = (): void => run.settled({ permission: "edit", patterns: ["a.txt", "b.txt"] }, false);
    print();
    expect(seen.passed).toBe("");
    settle();
    expect(seen.passed).toBe(LINE);
    settle();
    print();
    expect(seen.passed).toBe(LINE.repeat(2));
    print();
    seen.exit(0);
    expect(seen.passed).toBe(LINE.repeat(3));
  });
});
