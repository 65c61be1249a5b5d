import { describe, expect, it } from "vitest";
import { parseTestReport } from "../../../src/checks/definition-of-done/test-report.ts";
import { runDefinition } from "../definition.ts";
import { createProject, writeFiles } from "../project.ts";

const JUNIT = `<?xml version="1.0" encoding="UTF-8" ?>
<!-- <testcase name="not a test"/> -->
<testsuites name="vitest" tests="4" failures="1">
  <testsuite name='a > b' tests="4">
    <properties><property name="x" value="a > b"/></properties>
    <testcase classname="cart" name="adds &lt;two&gt; &amp; &quot;one&quot;" time="0.01"></testcase>
    <testcase name="totals > all" classname="cart"><failure message="expected 2 to be 3&#10;more"><![CDATA[
      <testcase name="quoted"><failure/></testcase> ]]></failure></testcase>
    <testcase classname="cart" name="breaks"><error type="E"/><system-out>said</system-out></testcase>
    <testcase classname="cart" name="later"><skipped/></testcase>
  </testsuite>
</testsuites>
`;
describe("a report of tests", () => {
  it.each([
    "",
    "all fine",
    "<html></html>",
    "<testsuites></testsuites>",
    "<testcase",
    "<![CDATA[<testcase/>",
    JUNIT.slice(0, -20),
    "1..1\nok 1\n",
  ])("is not %j", (text) => {
    expect(parseTestReport(text)).toBeNull();
  });
});

describe("a check with a report", () => {
  const report = "out/junit.xml";
  const run = async (command: string, files: Record<string, string> = {}, path = report) => {
    const directory = await createProject({ "junit.src": JUNIT, "out/keep": "", ...files });
    const check = { id: "tests", command, report: path };
    return (await runDefinition(directory, { checks: [check] })).checks[0];
  };

  it("has its counts and its failures from there, before the end of the output", async () => {
    const seen = await run(`cp junit.src ${report}; echo noise; exit 1`);
    expect(seen).toMatchObject({ status: "failed", tests: { passed: 1, failed: 2, skipped: 1 } });
    expect(seen?.output_tail).toBe(
      "failed: cart totals > all: expected 2 to be 3\nfailed: cart breaks\nnoise",
    );
  });

  it("has not passed where it ends with 0 and its report names tests that failed", async () => {
    expect(await run(`cp junit.src ${report}; true`)).toMatchObject({
      status: "failed",
      exit_code: 0,
      detail: "it ended with 0, and its report names tests that failed",
    });
    const green = await run(`echo '<s><testcase/><testcase/></s>' > ${report}`);
    expect(green).toMatchObject({ status: "passed", tests: { passed: 2, failed: 0 } });
  });

  it.each([
    ["that it did not write", "echo 12 passed", report, `wrote no report ${report}`],
    ["of another run", "true", "junit.src", "did not write its report junit.src anew"],
    ["outside of the project", "true", "/etc/hostname", "its report /etc/hostname is outside of the project"],
    ["of no known form", `echo 12 passed > ${report}`, report, "is no JUnit XML"],
  ])("claims no counts from a report %s", async (_name, command, path, why) => {
    const seen = await run(command, {}, path);
    expect(seen).toMatchObject({ status: "passed", detail: expect.stringContaining(why) });
    expect(seen).not.toHaveProperty("tests");
  });

  it("is known again by the tests that failed", async () => {
    const directory = await createProject({ "junit.src": JUNIT });
    const command = `cp junit.src ${report}; date +%N; echo error $RANDOM; exit 1`;
    const once = async () =>
      (
        await runDefinition(directory, {
          checks: [{ id: "tests", command: `mkdir -p out; ${command}`, report }],
        })
      ).checks[0];
    const before = await once();
    expect((await once())?.signature).toEqual(before?.signature);
    await writeFiles(directory, { "junit.src": JUNIT.replace("breaks", "falls") });
    expect((await once())?.signature).not.toEqual(before?.signature);
  });
});
