import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { countTests } from "../../../src/checks/excerpt/count-tests.ts";
import { excerptFailure } from "../../../src/checks/excerpt/excerpt.ts";

const FOLDER = join(import.meta.dirname, "fixtures");
const BOUNDS = { maxLines: 40, maxCharacters: 4_000 };

/** Sixty tests that passed, as a runner says it. */
const passed = (line: (at: number) => string): string =>
  Array.from({ length: 60 }, (_, at) => `${line(at)}\n`).join("");

interface Output {
  readonly text: string;
  readonly told: readonly string[];
  /** What stands in each line about a test that passed, where the runner is known. */
  readonly noise?: string;
  readonly tests?: object;
}

/** As these runners document it, one failure in the middle of what passed. */
const OUTPUTS: Readonly<Record<string, Output>> = {
  playwright: {
    text: `Running 121 tests\n${passed((at) => `  ✓  ${at} [chromium] › a.spec.ts:${at}:5 › quiet (9ms)`)}  1) [chromium] › login.spec.ts:12:5 › login › rejects an empty name ──────\n\n    Error: Timed out 5000ms waiting for expect(locator).toBeVisible()\n\n        at /app/login.spec.ts:16:52\n\n  1 failed\n  120 passed (12.3s)\n`,
    told: ["rejects an empty name", "Timed out 5000ms", "login.spec.ts:16:52", "1 failed"],
    noise: "quiet",
  },
  "rspec --format documentation": {
    text: `Calculator\n${passed((at) => `  quiet ${at}`)}  adds (FAILED - 1)\n\nFailures:\n\n  1) Calculator adds\n     Failure/Error: expect(add(1, 2)).to eq(4)\n\n       expected: 4\n            got: 3\n\n     # ./spec/a_spec.rb:7:in 'block'\n\nFinished in 0.01 seconds\n61 examples, 1 failure\n`,
    told: ["1) Calculator adds", "expected: 4", "got: 3", "a_spec.rb:7", "61 examples, 1 failure"],
    noise: "quiet",
    tests: { passed: 60, failed: 1 },
  },
  phpunit: {
    text: `PHPUnit 10.5.2\n\n${passed((at) => `.......  ${at} / 400 ( 15%) quiet`)}There was 1 failure:\n\n1) CalculatorTest::testAdd\nFailed asserting that 3 matches expected 4.\n\n/app/tests/CalculatorTest.php:14\n\nFAILURES!\nTests: 400, Assertions: 420, Failures: 1.\n`,
    told: ["CalculatorTest::testAdd", "3 matches expected 4", "CalculatorTest.php:14", "Failures: 1"],
    noise: "quiet",
    tests: { passed: 399, failed: 1 },
  },
  gradle: {
    text: `> Task :test FAILED\n\n${passed((at) => `CalculatorTest > quiet${at}() PASSED`)}\nCalculatorTest > adds() FAILED\n    org.opentest4j.AssertionFailedError: expected: <4> but was: <3>\n        at app//CalculatorTest.adds(CalculatorTest.java:14)\n\n61 tests completed, 1 failed\n`,
    told: [
      "adds() FAILED",
      "expected: <4> but was: <3>",
      "CalculatorTest.java:14",
      "61 tests completed, 1 failed",
    ],
    noise: "quiet",
    tests: { passed: 60, failed: 1 },
  },
  maven: {
    text: `${passed((at) => `[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.01 s - in quiet${at}`)}[ERROR] Failures: \n[ERROR]   CalculatorTest.adds:14 expected: <4> but was: <3>\n[INFO] \n[ERROR] Tests run: 61, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE\n`,
    told: ["CalculatorTest.adds:14 expected: <4> but was: <3>", "Tests run: 61, Failures: 1"],
    noise: "quiet",
    tests: { passed: 60, failed: 1 },
  },
  dotnet: {
    text: `Starting test execution, please wait...\n${passed((at) => `  Passed Calc.Quiet${at} [1 ms]`)}  Failed Calc.Adds [12 ms]\n  Error Message:\n   Assert.Equal() Failure: Values differ\nExpected: 4\nActual:   3\n  Stack Trace:\n     at Calc.Adds() in /app/Tests.cs:line 12\n${passed((at) => `  Passed Calc.Quiet${at} [1 ms]`)}\nFailed!  - Failed:     1, Passed:   120, Skipped:     0, Total:   121, Duration: 34 ms - Calc.dll\n`,
    told: ["Failed Calc.Adds", "Expected: 4", "Actual:   3", "Tests.cs:line 12", "Failed!"],
    noise: "Quiet",
    tests: { passed: 120, failed: 1 },
  },
  "swift test": {
    text: `${passed((at) => `Test Case '-[CalcTests quiet${at}]' passed (0.001 seconds).`)}/app/CalcTests.swift:12: error: -[CalcTests adds] : XCTAssertEqual failed: ("3") is not equal to ("4")\n${passed((at) => `Test Case '-[CalcTests quiet${at}]' passed (0.001 seconds).`)}\t Executed 121 tests, with 1 failure (0 unexpected) in 0.1 seconds\n`,
    told: ['CalcTests.swift:12: error: -[CalcTests adds] : XCTAssertEqual failed: ("3") is not equal'],
    noise: "quiet",
  },
  exunit: {
    text: `${passed(() => "... quiet")}\n  1) test adds (CalcTest)\n     test/calc_test.exs:5\n     Assertion with == failed\n     code:  assert Calc.add(1, 2) == 4\n     left:  3\n     right: 4\n\nFinished in 0.03 seconds\n61 tests, 1 failure\n`,
    told: [
      "1) test adds",
      "calc_test.exs:5",
      "code:  assert Calc.add(1, 2) == 4",
      "left:  3",
      "61 tests, 1 failure",
    ],
    noise: "quiet",
    tests: { passed: 60, failed: 1 },
  },
  "bun test": {
    text: `a.test.ts:\n${passed((at) => `(pass) quiet ${at} [0.10ms]`)} 7 |   expect(add(1,2)).toBe(4);\nerror: expect(received).toBe(expected)\n\nExpected: 4\nReceived: 3\n\n      at <anonymous> (/app/a.test.ts:7:20)\n(fail) adds [0.21ms]\n${passed((at) => `(pass) quiet ${at} [0.10ms]`)}\n 120 pass\n 1 fail\nRan 121 tests across 1 files. [12.00ms]\n`,
    told: ["expect(received).toBe(expected)", "Expected: 4", "Received: 3", "(fail) adds"],
    noise: "quiet",
    tests: { passed: 120, failed: 1 },
  },
  "deno test": {
    text: `${passed((at) => `quiet ${at} ... ok (1ms)`)}adds ... FAILED (4ms)\n\n ERRORS \n\nadds => ./a_test.ts:3:6\nerror: AssertionError: Values are not equal.\n\n    [Diff] Actual / Expected\n\n-   3\n+   4\n\n    at file:///app/a_test.ts:4:3\n\n FAILURES \n\nadds => ./a_test.ts:3:6\n\nFAILED | 60 passed | 1 failed (20ms)\n`,
    told: ["adds => ./a_test.ts:3:6", "Values are not equal", "-   3", "+   4", "60 passed | 1 failed"],
    noise: "quiet",
    tests: { passed: 60, failed: 1 },
  },
  ctest: {
    text: `${passed((at) => `      Start ${at}: quiet\n${at}/61 Test #${at}: quiet ......   Passed    0.00 sec`)}61/61 Test #61: adds .....***Failed    0.01 sec\n\n98% tests passed, 1 tests failed out of 61\n`,
    told: ["Test #61: adds .....***Failed", "1 tests failed out of 61"],
    noise: "quiet",
    tests: { passed: 60, failed: 1 },
  },
  googletest: {
    text: `${passed((at) => `[ RUN      ] Calc.Quiet${at}\n[       OK ] Calc.Quiet${at} (0 ms)`)}[ RUN      ] Calc.Adds\n/app/calc_test.cc:12: Failure\nExpected equality of these values:\n  add(1, 2)\n    Which is: 3\n  4\n[  FAILED  ] Calc.Adds (0 ms)\n${passed((at) => `[ RUN      ] Calc.Quiet${at}\n[       OK ] Calc.Quiet${at} (0 ms)`)}[  FAILED  ] 1 test, listed below:\n[  FAILED  ] Calc.Adds\n`,
    told: ["calc_test.cc:12: Failure", "Which is: 3", "[  FAILED  ] Calc.Adds"],
    noise: "Quiet",
  },
  "dart test": {
    text: `${passed((at) => `00:01 +${at}: quiet`)}00:01 +60 -1: adds [E]\n  Expected: <4>\n    Actual: <3>\n  a_test.dart 7:5  main.<fn>\n\n${passed((at) => `00:01 +${at} -1: quiet`)}00:01 +120 -1: Some tests failed.\n`,
    told: ["adds [E]", "Expected: <4>", "Actual: <3>", "a_test.dart 7:5"],
    noise: "quiet",
  },
  scalatest: {
    text: `${passed((at) => `[info] - quiet ${at}`)}[info] - adds *** FAILED ***\n[info]   3 did not equal 4 (CalcSpec.scala:9)\n[info] Tests: succeeded 60, failed 1\n[error] (Test / test) sbt.TestsFailedException: Tests unsuccessful\n`,
    told: ["adds *** FAILED ***", "3 did not equal 4 (CalcSpec.scala:9)"],
    noise: "quiet",
  },
  karma: {
    text: `${passed((at) => `Chrome 99: Executed ${at} of 61 quiet SUCCESS`)}Chrome 99.0 (Linux) Calculator adds FAILED\n\tExpected 3 to be 4.\n\t    at UserContext.<anonymous> (src/calc.spec.ts:9:20)\nTOTAL: 1 FAILED, 60 SUCCESS\n`,
    told: ["Calculator adds FAILED", "Expected 3 to be 4.", "calc.spec.ts:9:20", "TOTAL: 1 FAILED"],
    noise: "quiet",
  },
  minitest: {
    text: `Run options: --seed 1\n\n# Running:\n\n${passed((at) => `CalcTest#test_quiet_${at} = 0.00 s = .`)}F\n\nFailure:\nCalcTest#test_adds [test/calc_test.rb:8]:\nExpected: 4\n  Actual: 3\n\nbin/rails test test/calc_test.rb:6\n\nFinished in 0.01s, 60 runs/s.\n61 runs, 61 assertions, 1 failures, 0 errors, 0 skips\n`,
    told: ["CalcTest#test_adds", "Expected: 4", "Actual: 3", "61 runs"],
    noise: "quiet",
  },
  nextest: {
    text: `    Starting 61 tests across 2 binaries\n${passed((at) => `        PASS [   0.005s] calc tests::quiet_${at}`)}        FAIL [   0.006s] calc tests::adds\n\n--- STDOUT:              calc tests::adds ---\n\nrunning 1 test\ntest tests::adds ... FAILED\n\n--- STDERR:              calc tests::adds ---\nthread 'tests::adds' panicked at src/lib.rs:9:9:\nassertion \`left == right\` failed\n  left: 3\n right: 4\n\n     Summary [   0.010s] 61 tests run: 60 passed, 1 failed, 0 skipped\n        FAIL [   0.006s] calc tests::adds\nerror: test run failed\n`,
    told: ["tests::adds", "src/lib.rs:9:9", "left: 3", "60 passed, 1 failed"],
    noise: "quiet",
  },
  zig: {
    text: `${passed((at) => `${at}/61 test.quiet ${at}...OK`)}61/61 test.adds...FAIL (TestExpectedEqual)\n/usr/lib/zig/std/testing.zig:93:17: 0x103 in expectEqual (test)\n/app/src/main.zig:12:5: 0x1 in test.adds (test)\n    try std.testing.expectEqual(4, add(1, 2));\n    ^\n60 passed; 0 skipped; 1 failed.\nerror: the following test command failed with exit code 1:\n`,
    told: ["test.adds...FAIL", "main.zig:12:5", "1 failed"],
    noise: "quiet",
  },
  behave: {
    text: `${passed((at) => `    Given quiet ${at}   # steps/a.py:3 0.000s`)}    Then the result is 4       # steps/calc.py:9 0.001s\n      Assertion Failed: 3 != 4\n\n\nFailing scenarios:\n  features/calc.feature:4  adding\n\n0 features passed, 1 failed, 0 skipped\n1 scenario passed, 1 failed, 0 skipped\nTook 0m0.002s\n`,
    told: ["Assertion Failed: 3 != 4", "features/calc.feature:4"],
    noise: "quiet",
  },
  robot: {
    text: `==============================================================================\nCalc\n==============================================================================\n${passed((at) => `Quiet ${at}                                                            | PASS |`)}Adds                                                                  | FAIL |\n3 != 4\n------------------------------------------------------------------------------\nCalc                                                                  | FAIL |\n61 tests, 60 passed, 1 failed\n==============================================================================\nOutput:  /app/output.xml\n`,
    told: ["Adds", "3 != 4", "61 tests, 60 passed, 1 failed"],
    noise: "Quiet",
  },
  testthat: {
    text: `${passed((at) => `✔ | F W  S  OK | quiet ${at}`)}✖ | 1          2 | calc\n────────────────────────────────────────────────────────────────────────────────\nFailure ('test-calc.R:4:3'): adds\nadd(1, 2) not equal to 4.\n1/1 mismatches\n[1] 3 - 4 == -1\n────────────────────────────────────────────────────────────────────────────────\n\n══ Results ═════════════════════════════════════════════════════════════════════\n[ FAIL 1 | WARN 0 | SKIP 0 | PASS 62 ]\nError: Test failures\n`,
    told: ["test-calc.R:4:3", "not equal to 4", "FAIL 1"],
    noise: "quiet",
  },
  julia: {
    text: `${passed((at) => `ok quiet ${at}`)}adds: Test Failed at /app/test/runtests.jl:5\n  Expression: add(1, 2) == 4\n   Evaluated: 3 == 4\n\nStacktrace:\n [1] macro expansion\n   @ /app/test/runtests.jl:5 [inlined]\nTest Summary: | Pass  Fail  Total  Time\ncalc          |   60     1     61  0.2s\nERROR: LoadError: Some tests did not pass: 60 passed, 1 failed, 0 errored, 0 broken.\n`,
    told: ["runtests.jl:5", "3 == 4", "60 passed, 1 failed"],
    noise: "quiet",
  },
  busted: {
    text: `●●●●●●◼\n60 successes / 1 failure / 0 errors / 0 pending : 0.003 seconds\n\nFailure → spec/calc_spec.lua @ 5\ncalc adds\nspec/calc_spec.lua:6: Expected objects to be equal.\nPassed in:\n(number) 3\nExpected:\n(number) 4\n`,
    told: ["calc_spec.lua @ 5", "Expected objects to be equal", "1 failure"],
  },
  golangci: {
    text: `src/calc.go:12:2: ineffectual assignment to x (ineffassign)\n\tx := 3\n\t^\nsrc/other.go:3:1: exported func Add should have comment (revive)\nfunc Add() {}\n^\n2 issues:\n* ineffassign: 1\n* revive: 1\n`,
    told: ["calc.go:12:2", "other.go:3:1", "2 issues"],
  },
  shellcheck: {
    text: `\nIn build.sh line 3:\nrm $1\n   ^-- SC2086 (info): Double quote to prevent globbing and word splitting.\n\nDid you mean:\nrm "$1"\n\nFor more information:\n  https://www.shellcheck.net/wiki/SC2086 -- Double quote\n`,
    told: ["build.sh line 3", "SC2086"],
  },
  "ruff full": {
    text: `F401 [*] \`os\` imported but unused\n --> src/app.py:1:8\n  |\n1 | import os\n  |        ^^\n  |\nhelp: Remove unused import: \`os\`\n\nFound 1 error.\n[*] 1 fixable with the \`--fix\` option.\n`,
    told: ["F401", "src/app.py:1:8", "Found 1 error"],
  },
  flake8: {
    text: `src/app.py:1:1: F401 'os' imported but unused\nsrc/app.py:9:80: E501 line too long (92 > 79 characters)\n`,
    told: ["F401", "E501"],
  },
  bazel: {
    text: `INFO: Analyzed 61 targets\n${passed((at) => `//quiet:t${at}                                            PASSED in 0.1s`)}//calc:calc_test                                                       FAILED in 0.2s\n  /home/u/.cache/bazel/calc_test/test.log\n\nExecuted 61 out of 61 tests: 60 tests pass and 1 fails locally.\n`,
    told: ["//calc:calc_test", "60 tests pass and 1 fails"],
    noise: "quiet",
  },
  "svelte-check": {
    text: `====================================\nLoading svelte-check in workspace: /app\n/app/src/App.svelte:4:7\nError: Type 'string' is not assignable to type 'number'. (ts)\n  let n: number = "x";\n\n====================================\nsvelte-check found 1 error and 0 warnings in 1 file\n`,
    told: ["App.svelte:4:7", "not assignable", "found 1 error"],
  },
  "a runner in another language": {
    text: `Prüfe Module …\n${passed((at) => `Modul ${at} in Ordnung`)}Fehler in src/rechner.py, Zeile 4: Ergebnis 3, erwartet 4\nAbgebrochen.\n`,
    told: ["Zeile 4"],
  },
  "a runner that nobody knows": {
    text: `${passed((at) => `+ quiet ${at}`)}- adds: wanted 4 but it was invalid\n    see calc.x:9\n${passed((at) => `+ quiet ${at}`)}`,
    told: ["- adds: wanted 4 but it was invalid", "see calc.x:9"],
  },
};

describe.each(Object.entries(OUTPUTS))("an output of %s", (_name, { text, told, noise, tests }) => {
  const dressed = text
    .replaceAll(/(FAILED|Failed|failed|Error|error)/g, "\u001B[31m$1\u001B[39m")
    .replaceAll("\n", "\r\n");

  it.each([
    ["as it is", text],
    ["in colours, with Windows' line ends", dressed],
  ])("tells what failed, and nothing that passed, %s", (_how, output) => {
    const excerpt = excerptFailure(output, BOUNDS).text;
    for (const line of told) expect(excerpt).toContain(line);
    if (noise !== undefined) expect(excerpt).not.toContain(noise);
    for (const mark of ["\r", "\u001B"]) expect(excerpt).not.toContain(mark);
    expect(countTests(output)).toEqual(tests ?? countTests(text));
  });
});

it("shows of an unknown runner the lines that tell something, and a few of the end", () => {
  const { text } = excerptFailure(OUTPUTS["a runner that nobody knows"]?.text ?? "", BOUNDS);
  expect(text.match(/quiet/g)?.length).toBeLessThanOrEqual(14);
});

it("tells of each recorded output the same in colours and with Windows' line ends, and of a line only what stayed on the screen", async () => {
  for (const name of await readdir(FOLDER)) {
    const text = await readFile(join(FOLDER, name), "utf8");
    const dressed = text.replaceAll(/^(.*\S)$/gm, "\u001B[1m$1\u001B[22m").replaceAll("\n", "\r\n");
    expect(excerptFailure(dressed, BOUNDS), name).toEqual(excerptFailure(text, BOUNDS));
    expect(countTests(dressed), name).toEqual(countTests(text));
  }
  expect(excerptFailure("10 %\r50 %\rerror: no room\n", BOUNDS).text).toBe("error: no room");
});
