import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { appendFile, chmod, mkdir, readdir, readFile } from "node:fs/promises";
import { rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as pause } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { isLanding, land, settleLanding } from "../../../src/snapshot/lanes/landing.ts";
import { silentLogger } from "../../../src/lib/error.ts";
import { settleCutOff } from "../../../src/project/lanes.ts";
import { makeLane, recordLane } from "../../../src/snapshot/lanes/lane.ts";
import { mergeLanes } from "../../../src/snapshot/lanes/merge.ts";
import { type LaneStore, openStore } from "../../../src/snapshot/lanes/store.ts";
import { takeSnapshot } from "../../../src/snapshot/lanes/take-down.ts";
import { git, gitLines, makeRepository, openLanes, readGit, readTree } from "./sample-repository.ts";

/** How many processes are killed while they land. */
const KILLS = Number(process.env["LANE_KILLS"] ?? 8);

let root: string;
let top: string;
let store: LaneStore;
beforeEach(async () => {
  ({ root, top } = await makeRepository({ hasSubmodule: true, hasReturns: true }));
  store = await openLanes(top);
});

/** What a lane in which `work` was done comes to with the user's tree. */
async function landing(work: (folder: string) => Promise<void>): Promise<{ from: string; to: string }> {
  const lane = await makeLane(store, "unit/1", await takeSnapshot(store));
  await work(lane.folder);
  const commit = await recordLane(store, lane);
  const ours = await takeSnapshot(store);
  const merged = await mergeLanes(store, ours.tree, [{ lane, commit }]);
  if (merged.kind !== "merged") throw new Error(merged.files.join());
  return { from: ours.tree, to: merged.tree };
}

/** Where a landing says what it does. */
const journalOf = ({ folder, kept }: LaneStore): string =>
  join(folder, `landing-${createHash("sha256").update(kept).digest("hex").slice(0, 12)}.json`);

describe("landing", () => {
  it("brings in what was added, changed, renamed, deleted, linked and made to run, and touches nothing else", async () => {
    await writeFile(join(top, "a.txt"), "the user's uncommitted\r\n");
    await appendFile(join(top, "sub/inner.txt"), "the user's\n");
    const [before, gitBefore] = [await readTree(top), await readGit(top)];
    const { from, to } = await landing(async (folder) => {
      await appendFile(join(folder, "sub/inner.txt"), "in the submodule\n");
      await mkdir(join(folder, "sub/fresh"));
      await writeFile(join(folder, "sub/fresh/x"), "fresh\n");
      await appendFile(join(folder, "a.txt"), "lane\r\n");
      await rename(join(folder, "dir/c.txt"), join(folder, "moved to.txt"));
      await rm(join(folder, "b.md"));
      await mkdir(join(folder, "b.md"));
      await writeFile(join(folder, "b.md/inside"), "a folder now\n");
      await chmod(join(folder, "run.sh"), 0o644);
      await symlink("run.sh", join(folder, "link"));
    });
    expect(await land(store, from, to)).toBeNull();
    const { "dir/c.txt": moved, "b.md": _gone, ...stays } = Object.fromEntries(before);
    expect(Object.fromEntries(await readTree(top))).toEqual({
      ...stays,
      "a.txt": "- the user's uncommitted\r\nlane\r\n",
      "moved to.txt": moved,
      "run.sh": before.get("run.sh")?.replace(/^x/u, "-"),
      "b.md/inside": "- a folder now\n",
      link: "-> run.sh",
      "sub/inner.txt": "- inner\nthe user's\nin the submodule\n",
      "sub/fresh/x": "- fresh\n",
    });
    expect(await readGit(top)).toEqual(gitBefore);
  });

  it.each([
    ["a file changed since", "a.txt", async () => appendFile(join(top, "a.txt"), "late")],
    ["a file deleted since", "a.txt", async () => rm(join(top, "a.txt"))],
    ["a new file of the same name", "new.txt", async () => writeFile(join(top, "new.txt"), "mine")],
    ["a folder in the place of a new file", "new.txt", async () => mkdir(join(top, "new.txt"))],
    ["a link in the place of a folder", "fresh/x", async () => symlink(root, join(top, "fresh"))],
    ["a repository in the place of a folder", "fresh/x", async () => gitLines(top, "init -q fresh")],
    [
      "a submodule that was taken out, where git would see nothing of it",
      "sub/new.txt",
      async () => gitLines(top, "submodule --quiet deinit -f sub"),
    ],
  ])("lands nothing at all where there is %s", async (_what, path, act) => {
    const { from, to } = await landing(async (folder) => {
      await appendFile(join(folder, "a.txt"), "lane");
      await appendFile(join(folder, "run.sh"), "lane");
      await rm(join(folder, "b.md"));
      await writeFile(join(folder, "new.txt"), "lane");
      await mkdir(join(folder, "fresh"));
      await writeFile(join(folder, "fresh/x"), "lane");
      await writeFile(join(folder, "sub/new.txt"), "lane");
    });
    await act();
    const now = await readTree(top);
    expect(await land(store, from, to)).toBe(path);
    expect(await readTree(top)).toEqual(now);
    expect(isLanding(store)).toBe(false);
    expect(existsSync(join(root, "x"))).toBe(false);
  });

  const timeout = 30_000 + KILLS * 5_000;
  it("is completed or taken back, whole, by whoever comes next after a kill", { timeout }, async () => {
    const count = 40;
    for (let n = 0; n < count; n += 1) await writeFile(join(top, `many ${n}.txt`), `before ${n}\n`);
    const { from, to } = await landing(async (folder) => {
      for (let n = 0; n < count; n += 1) {
        if (n % 4 === 0) await rm(join(folder, `many ${n}.txt`));
        else await writeFile(join(folder, `many ${n}.txt`), `after ${n}\n`);
        await mkdir(join(folder, `fresh ${n}`));
        await writeFile(join(folder, `fresh ${n}/file`), "fresh\n");
      }
    });
    const before = await readTree(top);
    expect(await land(store, from, to)).toBeNull();
    const after = await readTree(top);
    const settled: (string | null)[] = [];
    const asides = join(store.kept, "landing");
    let isBefore = false;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const [a, b] = isBefore ? [from, to] : [to, from];
      const env = { ...process.env, LANDING: JSON.stringify({ store, from: a, to: b }) };
      const script = ["--import", "tsx", fileURLToPath(new URL("./land-once.ts", import.meta.url))];
      const child = spawn(process.execPath, script, { env, stdio: "inherit" });
      const ended = once(child, "exit");
      // A moment further on each time, by what it has done.
      const isDue = async () => (await readdir(asides).catch(() => [])).length > (kill * 23) % 150;
      while (child.exitCode === null && !(await isDue())) await pause(1);
      child.kill("SIGKILL");
      await ended;
      settled.push(await settleLanding(store));
      const now = await readTree(top);
      isBefore = now.get("many 1.txt") === before.get("many 1.txt");
      expect(now).toEqual(isBefore ? before : after);
      expect(existsSync(asides)).toBe(false);
    }
    expect(settled).toContain("taken back");
  });

  it("leaves a landing alone that a living process is at, and keeps what the user made of a file that a crash had left", async () => {
    const journal = journalOf(store);
    const alive = { pid: 1, isWhole: false, steps: [] };
    await writeFile(journal, JSON.stringify(alive));
    expect(await settleLanding(store)).toBeNull();
    expect(existsSync(journal)).toBe(true);
    await rm(journal);
    // As a process leaves it that was killed with the file moved aside and nothing in its place yet.
    const id = git(top, "hash-object", "--no-filters", "a.txt").trim();
    const mode = "100644";
    const steps = [{ path: "a.txt", before: { id, mode }, after: { id: "0".repeat(40), mode } }];
    await mkdir(join(store.kept, "landing"));
    await rename(join(top, "a.txt"), join(store.kept, "landing/0"));
    await writeFile(join(top, "a.txt"), "made anew by the user\n");
    await writeFile(journal, JSON.stringify({ pid: 2 ** 30, isWhole: false, steps }));
    expect(await settleLanding(store)).toBe("taken back");
    expect(await readFile(join(top, "a.txt"), "utf8")).toBe("made anew by the user\n");
  });

  it("believes no landing that a repository brought along, and loses none of its files", async () => {
    const asides = join(store.kept, "landing");
    await mkdir(asides);
    await writeFile(join(asides, "0"), "brought along\n");
    const before = { id: "1".repeat(40), mode: "100644" };
    const steps = [{ path: "../planted.txt", before, after: { id: "", mode: "" } }];
    const journal = JSON.stringify({ pid: 2 ** 30, isWhole: false, steps });
    await writeFile(join(store.kept, "landing.json"), journal);
    await settleCutOff(top, silentLogger, { XDG_DATA_HOME: join(root, "data") });
    expect(await settleLanding(store)).toBeNull();
    expect(existsSync(join(root, "planted.txt"))).toBe(false);
    const { from, to } = await landing(async (folder) => appendFile(join(folder, "a.txt"), "lane\n"));
    expect(await land(store, from, to)).toBeNull();
    const left = (await readdir(store.kept)).find((name) => name.startsWith("landing-"));
    expect(await readFile(join(store.kept, left ?? "", "0"), "utf8")).toBe("brought along\n");
  });

  it("leaves nothing behind where it cannot even begin, as on a full disk", async () => {
    const { from, to } = await landing(async (folder) => appendFile(join(folder, "a.txt"), "lane\n"));
    const before = await readTree(top);
    await mkdir(`${journalOf(store)}.new`);
    await expect(land(store, from, to)).rejects.toThrow("EISDIR");
    expect(await readTree(top)).toEqual(before);
    expect((await readdir(store.kept)).filter((name) => name.startsWith("landing"))).toEqual([]);
  });

  it("has no store where the record's folder is a link that leads elsewhere", async () => {
    await rm(store.kept, { recursive: true });
    await mkdir(join(root, "elsewhere"));
    await symlink(join(root, "elsewhere"), store.kept);
    expect(await openStore(top, { XDG_DATA_HOME: join(root, "data") })).toMatch(/no folder of its own/);
  });
});
