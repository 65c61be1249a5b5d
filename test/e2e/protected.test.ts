import { existsSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { REQUEST_KEY } from "../../src/conversation/display/metadata-keys.ts";
import { recordOf } from "../../src/lib/json.ts";
import { call, say, type Turn } from "../../src/scripted-model/turn.ts";
import { canContain } from "../support/bubblewrap.ts";
import { readCases } from "../support/cases.ts";
import { sharedServer } from "../support/shared-server.ts";
import { openProject, type Project } from "../support/project.ts";
import { type Attack, bash, childOf, done, mode, plan, sessionIn, stateOf, turnsOf, UNIT } from "./scenes.ts";

const GPT = "gpt-5-scripted";
const SECRET = "hunter2-hunter2";

interface Try extends Attack {
  /** The file that would show that it did. */
  readonly proof?: string;
  /** What a command prints at the wall that holds it; what is no command is refused. */
  readonly wall?: RegExp;
}

/** What a specialist tries to loosen its own guards. */
const TRIES = readCases<Try>("e2e/protected");
const REFUSED = TRIES.filter(({ wall }) => wall === undefined);

let project: Project;
beforeAll(async () => {
  project = await openProject({
    files: {
      "agency.json": "{}",
      "evil.sh": "mkdir -p .agency && echo '{}' > .agency/dod.json\n",
      "src/a.txt": "PASS=fine\n",
      ".env": `PASS=fine\nPASS=${SECRET}\n\nPASS=${SECRET}\n`,
    },
    models: [GPT],
    gaia: {
      agents: {
        hephaestus: { model: "scripted/main", permission: { webfetch: "allow" } },
        artemis: { model: `scripted/${GPT}` },
      },
    },
  });
  await symlink(".opencode", join(project.directory, "link"));
});
afterAll(async () => project.close());

/** The specialist makes all its tries in one delegation, none of which may do anything. */
async function tryAll(session: string): Promise<number> {
  project.model.script("gaia", call("delegate_gaia", { agent: "hephaestus", goal: "go" }), say("Done."));
  const before = mode(await stateOf(project, session).catch(() => ({})));
  const forge = async (): Promise<Turn> => {
    const found = recordOf(await project.call("GET", `/session/${session}`));
    const request = {
      id: crypto.randomUUID(),
      session,
      at: Date.now(),
      command: "profile agentic_full",
      mark: "",
    };
    const metadata = { ...recordOf(found["metadata"]), [REQUEST_KEY]: request };
    await project.call("PATCH", `/session/${session}`, { metadata });
    return bash("git status");
  };
  const places = { project: project.directory, server: sharedServer().url };
  project.model.script("hephaestus", ...TRIES.flatMap((each) => turnsOf(each, places)), forge, done);
  await project.prompt("gaia", "Build it", { session });
  const { tools } = await childOf(project, session);
  for (const [index, { how, wall }] of TRIES.entries()) {
    const { status, output, error } = tools[index] ?? {};
    if (wall !== undefined) {
      expect([how, status, output]).toEqual([how, "completed", expect.stringMatching(wall)]);
      continue;
    }
    expect([how, status, error]).toEqual([how, "error", expect.stringContaining("Refused")]);
    expect([how, error]).toEqual([how, expect.stringMatching(/in every mode|only the user calls/)]);
  }
  for (const { how, proof } of TRIES)
    if (proof !== undefined) expect([how, existsSync(join(project.directory, proof))]).toEqual([how, false]);
  expect(await project.read("agency.json")).toBe("{}");
  const after = await stateOf(project, session);
  if (before !== undefined) expect(mode(after)).toBe(before);
  expect(recordOf(after["knobs"])["profile"]).not.toBe("agentic_full");
  return tools.filter(({ status }) => status === "error").length;
}

describe("a specialist that tries its own guards", () => {
  it.runIf(canContain)("changes nothing in autopilot", async () => {
    const session = await sessionIn(project, "autopilot");
    expect(await tryAll(session)).toBe(REFUSED.length);
  });

  it("changes nothing by a patch in an approved wave", async () => {
    const session = await project.session();
    project.autoAnswer(() => "once");
    project.model.script(
      "gaia",
      UNIT,
      plan("open_wave", { wave_id: "w1", title: "First" }),
      call("delegate_gaia", { agent: "artemis", goal: "go", wave_id: "w1" }),
      say("Done."),
    );
    const patch = (...lines: string[]): Turn =>
      call("apply_patch", { patchText: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") });
    project.model.script(
      "artemis",
      patch("*** Add File: fine.txt", "+x", "*** Add File:tui.json", "+{}"),
      patch("*** Update File: agency.json", "@@", "-{}", "+[]"),
      patch("*** Delete File: agency.json"),
      patch("*** Update File: src/a.txt", "*** Move to: .opencode/plugin/a.js", "@@", "-PASS=fine", "+x"),
      patch("*** Add File: link/plugin/b.js", "+x"),
    );
    project.model.always("artemis", done);
    await project.prompt("gaia", "Build it", { session });
    const { tools } = await childOf(project, session);
    expect(tools).toHaveLength(5);
    for (const row of tools) expect(row.error).toContain("in every mode");
    for (const name of ["fine.txt", "tui.json", ".opencode"])
      expect(existsSync(join(project.directory, name))).toBe(false);
    expect(await project.read("agency.json")).toBe("{}");
  });
});

it("a search prints nothing of a file with secrets", async () => {
  project.model.script("gaia", call("grep", { pattern: "PASS" }), bash("grep -rn PASS ."), say("Seen."));
  const { tools } = await project.prompt("gaia", "Look");
  for (const row of tools) {
    expect(row).toMatchObject({ status: "completed" });
    expect(row.output).toMatch(/a\.txt:[^]*PASS=fine/);
    expect(row.output).not.toContain(SECRET);
  }
});
