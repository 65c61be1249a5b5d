import { afterEach, describe, expect, it } from "vitest";
import { call, say } from "../../src/scripted-model/turn.ts";
import { writeIn } from "../support/directory.ts";
import { openProject, type Project, lastText } from "../support/project.ts";
import {
  bash,
  childOf,
  delegate,
  done,
  has,
  notesOf,
  plan,
  resultsOf,
  reviewed,
  to,
  write,
} from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());

const FILES = { "a.txt": "one\ntwo\n", "b.txt": "b\n" };
const checkins = async (session: string) =>
  (await notesOf(project, session)).filter((text) => text.includes("Check-in"));

describe("a check-in", () => {
  it("counts what a command changed, of GAIA's only, and undo last spares what the user did since", async () => {
    project = await openProject({
      files: { ...FILES, "test/a.test.ts": "x\n" },
      gaia: { interaction: "pair", checkinCadence: "step" },
      config: { permission: { edit: "allow", bash: "allow" } },
      prepare: async (directory) => {
        await writeIn(directory, "mine.txt", "mine\n");
        // A folder with thousands of new files stays the user's.
        const dump = Array.from({ length: 3_100 }, (_, index) => `dump/${index}.csv`);
        await Promise.all(dump.map(async (path) => writeIn(directory, path, "1\n")));
      },
    });
    project.autoAnswer(() => "once");
    const session = await project.session();
    project.model.script("gaia", say("Hello."));
    await project.prompt("gaia", "Hello", { session });
    // Another agent in the same conversation.
    project.model.script("native", write(project, "b.txt", "build's\n"), say("Built."));
    await project.prompt("build", "Change b.txt", { session, model: "main" });
    expect(await checkins(session)).toEqual([]);

    const edits =
      "sed -i s/one/1/ a.txt && cat > new.txt <<'END'\nfrom a heredoc\nEND\necho admin > test/a.test.ts";
    project.model.script("hephaestus", bash(edits), done);
    project.model.script("gaia", delegate(), say("Have a look."));
    await project.prompt("gaia", "Change it", { session });
    const [note] = await checkins(session);
    expect(note).toContain("Check-in (step): 3 files (+3 −2), 1 command");
    for (const line of ["- a.txt +1 −1", "- new.txt +1 −0", "- test/a.test.ts +1 −1"])
      expect(note).toContain(line);
    expect(note).toContain('Risky: test/a.test.ts (tests); "review this deeper (risk)" is advised');

    await project.write("new.txt", "from a heredoc\nand mine\n");
    project.model.script("gaia", say("Undone."));
    await project.prompt("gaia", "undo last", { session });
    expect([await project.read("a.txt"), await project.read("new.txt")]).toEqual([
      "one\ntwo\n",
      "from a heredoc\nand mine\n",
    ]);
    expect([await project.read("b.txt"), await project.read("mine.txt")]).toEqual(["build's\n", "mine\n"]);
    await project.until("what was undone", async () =>
      (await notesOf(project, session)).some((text) =>
        text.includes("Undone: a.txt, test/a.test.ts\nLeft as it is: new.txt (was changed since)"),
      ),
    );
    expect(project.model.requestsOf("hephaestus")).toHaveLength(2);
  });
});

describe("what the user has not committed", () => {
  it("is there after a list, a loop, a program and a script threw it away unasked, and both are told", async () => {
    // The index is read-only: what git does to the files without it, it does.
    const git = "execSync('git checkout-index --all --force && git clean -fdq')";
    project = await openProject({
      files: { ...FILES, "throw.mjs": `import { execSync } from "node:child_process";\n${git};\n` },
      gaia: { mode: "autopilot" },
      prepare: async (directory) => {
        await writeIn(directory, "a.txt", "one\nmine\n");
        await writeIn(directory, "notes/to do.md", "mine\n");
      },
    });
    // Where nothing contains commands the user is asked, and does not look.
    project.autoAnswer(() => "once");
    const found: string[][] = [];
    const look = async (): Promise<void> =>
      void found.push([await project.read("a.txt"), await project.read("notes/to do.md")]);
    const commands = [
      "git ls-files -o -z | xargs -0 rm -f",
      'for file in *.txt notes/*; do rm -f "$file"; done',
      "node -e \"fs.rmSync('notes', { recursive: true })\"",
      "node throw.mjs",
    ];
    project.model.script("hephaestus", bash(commands[0]!));
    for (const command of commands.slice(1))
      project.model.script("hephaestus", async () => {
        await look();
        return bash(command);
      });
    project.model.script("hephaestus", async () => {
      await look();
      return done;
    });
    project.model.script("gaia", delegate(), say("Done."));
    const { sessionId: session } = await project.prompt("gaia", "Tidy up");
    expect(found).toEqual(commands.map(() => ["one\nmine\n", "mine\n"]));
    for (const after of project.model.requestsOf("hephaestus").slice(1))
      expect(lastText(after, "tool")).toMatch(/put back: .*notes\/to do\.md/);
    await project.until("what was put back", async () =>
      (await notesOf(project, session)).some((text) => /GAIA has put it back: .*notes\/to do\.md/.test(text)),
    );
  });
});

describe("a patch that deletes a file, or replaces one with keys", () => {
  it("is asked for on autopilot where git ignores the file, and else taken back by undo last", async () => {
    const model = "gpt-5-scripted";
    const patch = (line: string) =>
      call("apply_patch", { patchText: `*** Begin Patch\n${line}\n*** End Patch` });
    project = await openProject({
      files: { ...FILES, ".gitignore": "notes/\nnode_modules/\n" },
      models: [model],
      gaia: { mode: "autopilot", agents: { hephaestus: { model: `scripted/${model}` } } },
      prepare: async (directory) => {
        await writeIn(directory, "mine.txt", "mine\n");
        await writeIn(directory, "notes/ignored.md", "mine\n");
        await writeIn(directory, "node_modules/made.js", "made\n");
        await writeIn(directory, ".env", "KEY=1\n");
      },
    });
    project.model.script(
      "hephaestus",
      // OpenCode adds over what is there.
      patch("*** Add File: .env\n+KEY=2"),
      patch("*** Add File: hers.txt\n+hers"),
      patch("*** Delete File: hers.txt"),
      patch("*** Delete File: a.txt"),
      patch("*** Delete File: node_modules/made.js"),
      patch("*** Delete File: mine.txt"),
      patch("*** Delete File: notes/ignored.md"),
      done,
    );
    project.model.script("gaia", delegate(), say("Done."));
    const session = await project.start("gaia", "Tidy up");
    await project.answer(await project.permission(({ patterns }) => patterns.includes(".env")), "reject");
    // After a no nothing more is asked before the user speaks: what would be is refused, and left for them.
    await project.until("the last words", () => project.model.requestsOf("gaia").length === 2);
    await project.idle(session);
    const { tools } = await childOf(project, session);
    expect(tools.map(({ status }) => status)).toEqual([
      "error",
      "completed",
      "completed",
      "completed",
      "completed",
      "completed",
      "error",
    ]);
    expect([await project.read("notes/ignored.md"), await project.read(".env")]).toEqual([
      "mine\n",
      "KEY=1\n",
    ]);
    expect([has(project, "mine.txt"), has(project, "a.txt")]).toEqual([false, false]);
    project.model.script("gaia", say("Undone."));
    await project.prompt("gaia", "undo last", { session });
    expect([await project.read("mine.txt"), await project.read("a.txt")]).toEqual(["mine\n", "one\ntwo\n"]);
  });
});

describe("the user's own work", () => {
  it("is told, left out of reviews at the user's depth and of commits, and committed by name only with the user's yes", async () => {
    project = await openProject({
      files: { ...FILES, "c.txt": "one\n\n\n\n\n\n\n\nend\n" },
      gaia: { mode: "autopilot", reviewDepth: "risk" },
      prepare: async (directory) => {
        await writeIn(directory, ".env", "PASSWORD=hunter2-hunter2\n");
        await writeIn(directory, "b.txt", "the user's\n");
        await writeIn(directory, "c.txt", "the user's\n\n\n\n\n\n\n\nend\n");
      },
    });
    // What nobody answers here the plugin has to answer, or the scene never ends.
    project.autoAnswer(({ permission }) => (permission === "bash" ? null : "once"));
    project.model.script(
      "hephaestus",
      write(project, "src/auth.ts", `export const login = authorize();\n${"// a line\n".repeat(150)}`),
      bash("sed -i s/end/END/ c.txt"),
      done,
    );
    project.model.script("hades", reviewed("hades"));
    project.model.script(
      "gaia",
      delegate(),
      to("hades"),
      plan("commit", { commit: "All" }),
      plan("commit", { commit: "The work", files: ["src/auth.ts"] }),
      say("Done."),
    );
    const outcome = await project.prompt("gaia", "Build it");
    const [first] = project.model.requestsOf("gaia");
    expect(lastText(first!, "user")).toContain("Uncommitted and the user's own: b.txt, c.txt, .env.");
    const [all, named] = resultsOf(outcome, "plan_gaia");
    expect(all).toMatchObject({ ok: false });
    expect(JSON.stringify(all)).toContain("c.txt holds uncommitted changes of the user's own");
    expect(named).toMatchObject({ ok: true });
    expect(await project.git("show", "--name-only", "--format=", "HEAD")).toBe("src/auth.ts\n");
    expect((await project.git("status", "--porcelain")).split("\n")).toEqual(
      expect.arrayContaining(["?? .env", " M b.txt", " M c.txt"]),
    );
    const seen = lastText(project.model.requestsOf("hades")[0]!, "user");
    for (const line of ["+END", "+export const login = authorize();"]) expect(seen).toContain(line);
    expect(seen).toMatch(/## Risk hotspots\n- src\/auth\.ts: large/);
    expect(seen).not.toContain("hunter2");
    expect(seen.indexOf("TASK: part")).toBeLessThan(seen.indexOf("# The project's uncommitted"));
    expect(seen).not.toContain("+the user's");
    expect(seen).toContain("The user's own uncommitted files are no part of it: ");
  });
});
