/** How one kind of tool tells a failure. */
export interface Recogniser {
  /** The first line of one failure. */
  readonly start: RegExp;
  /** The first line that is no part of it any more. */
  readonly until: RegExp;
  /** Which of its lines are shown, where not all are. */
  readonly keep?: RegExp;
  /** What must stand in it to be a failure. */
  readonly has?: RegExp;
  /** What makes it none: a warning, an expected failure, a summary of others. */
  readonly not?: RegExp;
  /** The line above it that tells where it is. */
  readonly header?: RegExp;
  /** Each such line counts, back to the test before. */
  readonly isEach?: true;
}

const BLANK = /^\s*$/;
const LESS_INDENTED = /^\S|^\s*$/;

/** Failures as the usual tools print them; where two know a line, the first one counts. */
export const RECOGNISERS: readonly Recogniser[] = [
  // TAP: node --test, tap, ava, vitest --reporter=tap, prove, bats
  {
    start: /^\s*not ok\b/,
    until: /^\s*(?:\.\.\.$|not ok\b|ok\b|# Subtest|# \w+ \d+|\d+\.\.\d+)/,
    not: /^[^\n]*# (?:TODO|SKIP)|failureType: '?subtestsFailed|^[^\n]*\{$/i,
  },
  // node --test --test-reporter=spec
  { start: /^test at \S+:\d+:\d+$/, until: /^(?:test at|npm|>) /, not: /# (?:TODO|SKIP)/i },
  // vitest
  { start: /^ ?FAIL\s{2}\S|^⎯+ Unhandled /, until: /^⎯{4,}|^ (?:FAIL {2}|Test Files )/ },
  // jest
  {
    start: /^ {2}● (?!Console)/,
    until: /^ {2}● |^(?:PASS|FAIL|RUNS) |^(?:Test Suites|Tests|Summary of all failing tests)\b/,
  },
  // mocha, rspec, phpunit
  {
    start: /^ {0,4}\d+\) \S.*$/,
    until: /^ {0,4}\d+\) \S|^\s+\d+ (?:passing|failing)|^(?:FAILURES!|ERRORS!|Finished in )/,
    has: /\n[^]*\S/,
  },
  // pytest
  {
    start: /^_{3,} .+ _{3,}$/,
    until: /^(?:_{3,} .|={3,} |-{3,} Captured)/,
    keep: /^(?:_{3,} |[>E] |\S+:\d+: |.*Error\b)/,
  },
  { start: /^(?:FAILED|ERROR) \S+(?:::\S| - )/, until: /^/ },
  // unittest
  { start: /^(?:FAIL|ERROR): \S+ \(/, until: /^=|^\s*$/ },
  // go test, go vet, go build
  {
    start: /^\s*--- FAIL: /,
    until: /^\s*--- |^(?:===|FAIL|ok|PASS|\?)/,
    header: /^\s+\S+_test\.go:\d+: /,
    isEach: true,
  },
  { start: /^panic: |^fatal error: /, until: /^(?:FAIL|ok)\s|^exit status/ },
  { start: /^(?:vet: )?\.{0,2}\/?\S+\.go:\d+:\d+: /, until: LESS_INDENTED },
  // cargo test, rustc, clippy, rustfmt
  { start: /^---- .+ ----$/, until: /^(?:stack backtrace:|failures:|---- )/ },
  { start: /^error(?:\[\w+\])?: (?!aborting|could not compile|test failed|process didn)/, until: BLANK },
  { start: /^Diff in .+:\d+:?$/, until: /^Diff in / },
  // tsc
  { start: /^\S.*\(\d+,\d+\): error |^\S+:\d+:\d+ - error /, until: LESS_INDENTED },
  // eslint, stylelint
  {
    start: /^\s+\d+:\d+\s+(?:error|✖)\s/,
    until: /^/,
    header: /^(?!\s*\d+:\d+)(?=.*[\w/\\])\S/,
  },
  // oxlint, biome
  { start: /^ {2}[×x✖] \S+\(\S+\): /, until: BLANK },
  {
    start: /^\S+(?::\d+:\d+)? (?:lint|assist|parse|suppressions|format|organizeImports|check|ci)\S* .*━/,
    until: /^\S.*━/,
    has: /^\s+×/m,
  },
  // prettier
  { start: /^\[(?:warn|error)\] (?!Code style issues|All matched)/, until: /^/ },
  // gcc, clang, javac, mypy, pyright, swift, ruff and many others: a place, and what is wrong there
  {
    start: /^\s*(?:\w:)?[^\s:()]+[:(]\d+(?:[:,]\d+)?\)?:?\s+(?:-\s+)?(?:fatal )?error\b/i,
    until: LESS_INDENTED,
  },
  { start: /^\S+\.\w+:\d+:\d+:? [A-Z]+\d+ /, until: LESS_INDENTED },
  // maven, gradle, dotnet
  { start: /^\[ERROR\] (?!\[Help|->|Re-run|To see|For more|\s*$)/, until: /^/ },
  { start: /^\S.* > .* FAILED$|^> Task .* FAILED$|^\s+Failed \S+ \[/, until: BLANK },
  // a stack that nobody caught
  { start: /^Traceback \(most recent call last\):/, until: BLANK },
  { start: /^(?:Uncaught )?(?:[A-Z]\w*)?(?:Error|Exception)\b.*:/, until: BLANK },
];

/** How many failed, as the tools sum it up. */
export const SUMMARY =
  /^\s*(?:[#ℹ] (?:tests|pass|fail) \d|Test(?: File| Suite)?s:? +\d|\d+ (?:passing|failing)\b|Ran \d+ tests?|✖ \d+ problems?|\d+ errors?\b)|^(?:=+ .*\b(?:failed|passed|error)|\d+ (?:failed|passed)\b|FAILED \(|FAIL\s|test result: |Found \d+ |\d+ examples?,|Tests run:|Failed!|.*threshold\b|make: \*\*\*|(?:ERROR|Error|error|fatal): )/;

/** What passed, or only says that something is going on. */
export const PASSING =
  /^\s*(?:ok\b|[✓✔√] |PASS\b|--- PASS|=== (?:RUN|PAUSE|CONT|NAME)|# Subtest|test \S.* \.\.\. ok$|\S+::\S.* PASSED\b|.* \.\.\. ok$)/;

/** What package managers say when something that they ran has failed. */
export const RUNNER = /^\s*npm (?:ERR!|error|warn|WARN|notice)\b|^> \S/;

/** Lines inside of a failure that tell nothing: frames of runtimes, fields that everybody has. */
export const NOISE =
  /node:internal|node:async_hooks|node_modules\/|\/rustc\/|processTicksAndRejections|^\s*(?:duration_ms|failureType|type|code|operator|generatedMessage): |^\s*(?:name: '(?:AssertionError|Error)'|stack: \|-|---|\.{3}|at (?:processImmediate|new Promise|<anonymous>).*)$|^_ _ _ |^[-=]{5,}$/;

/** Words by which a line that no tool is known for tells a failure. */
export const TELLING =
  /\b(?:error|fail(?:ed|ure|ures|ing|s)?|fatal|panic|exception|traceback|cannot|not found|no such|denied|unexpected|expected|assert\w*|missing|unable|invalid)\b|^\s*[✗✖✘×●]|\bnot ok\b|^[EF]\s/i;
export const HARMLESS = /\b(?:0|no) (?:errors?|fail\w*|warnings?)\b|\b(?:errors?|fail\w*):? 0\b/i;
