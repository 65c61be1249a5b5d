import { parse } from "unbash";
import { afterEach, describe, expect, it } from "vitest";
import { call, say } from "../../src/scripted-model/turn.ts";
import { openCodePatterns } from "../../src/policy/open-code-patterns.ts";
import { openProject, type Project } from "../support/project.ts";
import { callAll } from "../support/scripted-model.ts";

let project: Project;
afterEach(async () => project.close());

const bash = (command: string) => call("bash", { command, description: "try" });

describe("an agent whose bash only reads", () => {
  it("runs what reads without asking, and is told why anything else is refused", async () => {
    project = await openProject({ files: { "a.txt": "one\ntwo\n" } });
    const allowed = ["ls -la", "git log --oneline -1", "cat a.txt | wc -l", "grep -n two a.txt 2>/dev/null"];
    const refused = [
      "touch x",
      "echo x > x",
      "git commit -m x --allow-empty",
      "sed -i s/one/1/ a.txt",
      "cat a.txt; rm a.txt",
    ];
    project.model.script("gaia", callAll(...[...allowed, ...refused].map(bash)), say("I see."));
    const { tools } = await project.prompt("gaia", "Look around");
    expect(tools.map(({ status }) => status)).toEqual([
      ...allowed.map(() => "completed"),
      ...refused.map(() => "error"),
    ]);
    const reasons = [
      "`touch x`: touch x changes the project",
      "`> x`: writes to a file through a redirection",
      "`git commit -m x --allow-empty`: git commit -m x changes commits, branches or tags",
      "`sed -i s/one/1/ a.txt`: sed -i s/one/1/ changes the project",
      "`rm a.txt`: rm a.txt throws away what nothing else may hold",
    ];
    for (const [index, reason] of reasons.entries()) {
      const { error } = tools[allowed.length + index] ?? { error: "" };
      expect(error).toContain(`Refused bash (${reason}): gaia only reads.`);
      expect(error).toContain("commands that only print");
    }
    expect(await project.git("status", "--porcelain")).toBe("");
  });

  it("is told in a line what its list leaves out, unless the user gave it a list", async () => {
    const shell = "bash -c 'ls | wc -l'";
    project = await openProject();
    project.model.script("gaia", bash(shell), say("I see."));
    const [refused] = (await project.prompt("gaia", "Look around")).tools;
    expect(refused?.status).toBe("error");
    expect(refused?.error).toContain(`Refused bash (\`${shell}\`): harmless as it looks`);
    expect(refused?.error.length).toBeLessThan(400);
    await project.close();

    project = await openProject({ config: { agent: { gaia: { permission: { bash: "allow" } } } } });
    project.model.script("gaia", bash(shell), say("Two."));
    expect((await project.prompt("gaia", "Look around")).tools[0]?.status).toBe("completed");
  });

  it("does not touch the bash of other agents", async () => {
    project = await openProject();
    project.model.script("native", bash("touch made-by-build"), say("Done."));
    const { tools } = await project.prompt("build", "Make it");
    expect(tools[0]?.status).toBe("completed");
  });

  it("is asked for the very commands that the tests of the static table hold against it", async () => {
    const lines = [
      "ls -la",
      "cd src && ls > a",
      "ls > a && cat b > c",
      "cat a | sort > b",
      "ls 2>/dev/null | wc -l",
      'for f in *.ts; do wc -l "$f"; done > a',
      'echo "$(git log -1 > b)" > a',
      "LC_ALL=C sort a",
      "! grep -q x a",
      "cat <<EOF > a\nrm b\nEOF",
      "export A=1; ((a=1)); [ -f a ] && time ls > b",
    ];
    project = await openProject({ plugin: false, config: { permission: { bash: "ask" } } });
    project.model.always("native", say("I see."));
    for (const line of lines) {
      project.model.script("native", bash(line));
      const session = await project.start("build", "Run it");
      const request = await project.permission();
      expect(request.patterns.toSorted(), line).toEqual(openCodePatterns(parse(line), line)?.toSorted());
      await project.answer(request, "reject");
      await project.idle(session);
    }
  });
});
