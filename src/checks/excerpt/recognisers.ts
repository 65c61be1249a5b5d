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
  /** Many programs write such lines, also about something that is told better elsewhere. */
  readonly isWeak?: true;
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
  // bun
  { start: /^error: expect\(/, until: /^\((?:pass|fail|skip|todo)\) / },
  { start: /^\(fail\) /, until: /^/ },
  // cargo test, nextest, rustc, clippy, rustfmt
  { start: /^---- .+ ----$/, until: /^(?:stack backtrace:|failures:|---- )/ },
  { start: /^thread '.+' (?:\(\d+\) )?panicked at /, until: /^(?:stack backtrace:|note: )|^\s*$/ },
  { start: /^error\[\w+\]: /, until: BLANK },
  { start: /^error: /, until: BLANK, has: /\n\s+--> / },
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
  // gtest, ctest
  { start: /^\S+:\d+: Failure$/, until: /^\[|^\S+:\d+: Failure$/ },
  { start: /^\s*\d+\/\d+ Test +#\d+: .*\*\*\*/, until: /^/ },
  // deno
  {
    start: /^\S.* => \S+:\d+:\d+$/,
    until: /^\S.* => \S+:\d+:\d+$|^ FAILURES |^FAILED \|/,
    has: /\n[^]*\S/,
  },
  // dart, flutter
  { start: /^\d\d:\d\d \+\d+(?: ~\d+)? -\d+: .*\[E\]$/, until: /^\d\d:\d\d \+/ },
  // sbt, scalatest
  { start: /^\[info\] .*\*\*\* FAILED \*\*\*/, until: /^\[\w+\] (?! )|^(?!\[)/ },
  // rubocop
  { start: /^\S+:\d+:\d+: [CWEF]: /, until: /^\S+:\d+:\d+: |^\d+ files?\b|^\s*$/ },
  // gcc, clang, javac, mypy, pyright, swift, ruff and many others: a place, and what is wrong there
  {
    start: /^\s*(?:\w:)?[^\s:()]+[:(]\d+(?:[:,]\d+)?\)?:?\s+(?:-\s+)?(?:fatal )?error\b/i,
    until: LESS_INDENTED,
  },
  { start: /^\S+\.\w+:\d+:\d+:? [A-Z]+\d+ /, until: LESS_INDENTED },
  // maven, gradle, dotnet
  { start: /^\[ERROR\] (?!\[Help|->|Re-run|To see|For more|\s*$)/, until: /^/ },
  { start: /^\S.* > .* FAILED$/, until: BLANK },
  { start: /^\s+Failed \S+ \[/, until: /^\s+(?:Passed|Failed|Skipped) \S+ \[|^\S.*! {2}- |^\s*$/ },
  // karma, and who else says so at the end of the line
  { start: /^(?!> Task |.* \.\.\. FAILED$)\S.* FAILED$/, until: LESS_INDENTED },
  // zig, julia, testthat, busted, minitest
  { start: /^\d+\/\d+ \S.*\.{3}FAIL/, until: /^\d+(?:\/\d+ |\s(?:passed|failed))/ },
  { start: /^.+: (?:Test Failed|Error During Test) at \S+:\d+$/, until: /^Stacktrace:|^\s*$/ },
  { start: /^(?:Failure|Error) \('[^']+'\): /, until: /^─{5,}|^\s*$/ },
  { start: /^(?:Failure|Error) → \S/, until: BLANK },
  { start: /^(?:Failure|Error):$/, until: BLANK },
  // robot framework, behave, bazel
  { start: /^\S.* \| FAIL \|$/, until: /^[-=]{5,}$/, not: /\n\d+ tests?, / },
  {
    start: /^\s+(?:Assertion Failed: |Traceback \()/,
    until: BLANK,
    header: /^\s+(?:Given|When|Then|And|But) /,
  },
  { start: /^Failing scenarios:$/, until: BLANK },
  { start: /^\/\/\S+ +(?:FAILED|TIMEOUT|NO STATUS)\b/, until: LESS_INDENTED },
  // shellcheck, ruff, svelte-check
  { start: /^In \S+ line \d+:$/, until: BLANK },
  { start: /^[A-Z]{1,5}\d{3,4} \S/, until: BLANK, has: /\n\s+--> / },
  { start: /^\S+:\d+:\d+$/, until: BLANK, has: /\nError: / },
  // a stack that nobody caught
  { start: /^Traceback \(most recent call last\):/, until: BLANK },
  { start: /^(?:Uncaught )?(?:[A-Z]\w*)?(?:Error|Exception)\b.*:/, until: BLANK, isWeak: true },
  {
    start: /^error: (?!aborting|could not compile|test (?:run )?failed|process didn)/,
    until: BLANK,
    isWeak: true,
  },
];

/** How many failed, as the tools sum it up. */
export const SUMMARY =
  /^\s*(?:[#ℹ] (?:tests|pass|fail) \d|Test(?: File| Suite)?s:? +\d|\d+ (?:passing|failing)\b|Ran \d+ tests?|✖ \d+ problems?|\d+ (?:errors?|issues?)\b|\d+ (?:features?|scenarios?|steps?) (?:passed|\()|\d+ success(?:es)? \/|\[ FAIL \d|Summary \[)|^(?:=+ .*\b(?:failed|passed|error)|\d+ (?:failed|passed)\b|FAILED \(|FAIL\s|test result: |Found \d+ |\d+ (?:examples?|tests?|runs?)(?: completed)?,|\d+% tests passed|Executed \d+ (?:out of \d+ )?tests?|\S+ found \d+ errors?|Tests run:|Failed!|FAILED \||TOTAL: |> Task .* FAILED$|\[ {2}FAILED {2}\] \S+\.\S+$|.*threshold\b|make: \*\*\*|(?:ERROR|Error|error|fatal): )/;

/** What passed, or only says that something is going on. */
export const PASSING = new RegExp(
  [
    String.raw`^\s*(?:ok\b|[✓✔√] |\(pass\) |Passed \S+ \[|PASS\b|--- PASS|=== (?:RUN|PAUSE|CONT|NAME)|# Subtest|\[(?: RUN  |  OK|-+|=+) *\]| *Start +\d+: |\[ +(?:RUN|OK|PASSED) +\])`,
    String.raw`^\s*(?:\S+::\S.* PASSED\b|\S.* PASSED$|.*\.{3} (?:ok|ignored)(?: \(\S+\))?$|.* \.{3,} +Passed\b)`,
    String.raw`^Test (?:Case|Suite) '.*' (?:passed|started)\b|^\d\d:\d\d \+\d+(?: ~\d+)?: |^\[info\] - (?!.*\*\*\*)`,
    String.raw`\| PASS \|$|\.{3}OK$| PASSED in [\d.]+s$|^\S+#\S+ = [\d.]+ s = \.$`,
  ].join("|"),
);

/** What package managers say when something that they ran has failed. */
export const RUNNER = /^\s*npm (?:ERR!|error|warn|WARN|notice)\b|^> \S/;

/** Lines inside of a failure that tell nothing: frames of runtimes, fields that everyone has. */
export const NOISE =
  /node:internal|node:async_hooks|node_modules\/|\/rustc\/|processTicksAndRejections|^\s*(?:duration_ms|failureType|type|operator|generatedMessage): |^\s*code: ['A-Z]|^\s*(?:name: '(?:AssertionError|Error)'|stack: \|-|---|\.{3}|at (?:processImmediate|new Promise|<anonymous>).*)$|^_ _ _ |^[-=]{5,}$/;

/** Words by which a line that no tool is known for tells a failure. */
export const TELLING =
  /\b(?:error|fail(?:ed|ure|ures|ing|s)?|fatal|panic|exception|traceback|cannot|not found|no such|denied|unexpected|expected|assert\w*|missing|unable|invalid)\b|^\s*[✗✖✘×●]|\bnot ok\b|^[EF]\s|fehler|fehlgeschlagen|erreur|échec|échoué|\berrore\b|fallit[ao]|\berro\b|falhou|błąd|ошибк|错误|失败|エラー|失敗|오류|실패/iu;
export const HARMLESS = /\b(?:0|no) (?:errors?|fail\w*|warnings?)\b|\b(?:errors?|fail\w*):? 0\b/i;
