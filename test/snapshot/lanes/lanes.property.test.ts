import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { makeLane, recordLane } from "../../../src/snapshot/lanes/lane.ts";
import { isLanding, land } from "../../../src/snapshot/lanes/landing.ts";
import { laneChanges } from "../../../src/snapshot/lanes/versions.ts";
import { mergeLanes } from "../../../src/snapshot/lanes/merge.ts";
import { removeLane, restoreLane } from "../../../src/snapshot/lanes/remove.ts";
import type { LaneStore } from "../../../src/snapshot/lanes/store.ts";
import { takeSnapshot } from "../../../src/snapshot/lanes/take-down.ts";
import { atUnitTree, openUnitTree, removeUnitTree } from "../../../src/snapshot/lanes/unit-tree.ts";
import { act, type Deed, deeds, type Shape, SHAPES } from "./sample-repository.ts";
import { git, makeRepository, openLanes, readGit, readTree } from "./sample-repository.ts";

const RUNS = Number(process.env["LANE_RUNS"] ?? 4);
const SEED = process.env["LANE_SEED"];
const MARK = /<\w+-\d+>/gu;

interface Story {
  readonly shape: Shape;
  readonly before: readonly Deed[];
  readonly lanes: readonly (readonly Deed[])[];
  readonly meanwhile: readonly Deed[];
  /** After the merge and before the landing, which then has to notice it. */
  readonly late: readonly Deed[];
  /** Whether it all begins and lands in the tree of a unit's branch, and the user goes on in theirs beside it. */
  readonly isOnBranch: boolean;
}

const STORY = fc.record({
  shape: SHAPES,
  before: deeds(5),
  lanes: fc.array(deeds(5, false), { minLength: 1, maxLength: 3 }),
  meanwhile: deeds(3),
  late: fc.oneof(fc.constant([]), fc.constant([]), deeds(2, false)),
  isOnBranch: fc.nat(3).map((drawn) => drawn === 0),
});

async function tell({ shape, before, lanes, meanwhile, late, ...story }: Story): Promise<void> {
  const { root, top: own } = await makeRepository(shape);
  const isOnBranch = story.isOnBranch && !shape.isUnborn && !shape.hasSubmodule;
  try {
    await act(own, "user", before);
    const users = await openLanes(own);
    const ownGit = await readGit(own);
    const ownTree = await readTree(own);
    const opened = isOnBranch ? await openBranch(users) : users;
    const { top } = opened;
    const gitBefore = await readGit(own);
    const treeBefore = await readTree(top);
    expect(withoutBranch(gitBefore)).toEqual(withoutBranch(ownGit));
    expect(await readTree(own)).toEqual(ownTree);
    const base = await takeSnapshot(opened);
    const recorded = [];
    const marks: string[] = [];
    const taken: string[] = [];
    for (const [index, list] of lanes.entries()) {
      const lane = await makeLane(opened, `unit/${index + 1}`, base);
      // Git's own files, and what is ignored, sparse or a submodule's, are no part of a lane; every other byte is the same.
      const begun = await readTree(lane.folder);
      for (const [path, bytes] of begun) expect([path, bytes]).toEqual([path, treeBefore.get(path)]);
      const written = await act(lane.folder, `lane${index + 1}`, list);
      const still = marksIn(await readTree(lane.folder));
      taken.push(...[...marksIn(begun)].filter((mark) => !still.has(mark)));
      const seen = marksIn(withoutIgnored(lane.folder, await readTree(lane.folder)));
      marks.push(...written.filter((mark) => seen.has(mark)));
      recorded.push({ lane, commit: await recordLane(opened, lane) });
    }
    expect(await readGit(own)).toEqual(gitBefore);
    expect(await readTree(top)).toEqual(treeBefore);

    // The user goes on meanwhile, with git as well.
    await act(top, "user", meanwhile);
    if (isOnBranch) await act(own, "own", meanwhile);
    const gitNow = await readGit(own);
    const ownNow = await readTree(own);
    const ours = await takeSnapshot(opened);
    const merged = await mergeLanes(opened, ours.tree, recorded);
    await act(top, "user", late);
    const usersTree = await readTree(top);
    const left = merged.kind === "merged" ? await land(opened, ours.tree, merged.tree) : "";
    const after = await readTree(top);
    expect(await readGit(own)).toEqual(gitNow);
    expect(isLanding(opened)).toBe(false);

    const wereMarks = marksIn(usersTree);
    // Nothing of it: the user's tree is what it was, and each lane stays with all that it holds.
    if (left !== null || merged.kind !== "merged") expect(after).toEqual(usersTree);
    else {
      // Git tells no more of what the user had not added and is ignored now: of that alone.
      const untold =
        late.length > 0 ? [] : await laneChanges(opened, (await takeSnapshot(opened)).tree, merged.tree);
      expect(withoutIgnored(top, new Map(untold.map(({ path }) => [path, ""])))).toEqual(new Map());
      const steps = await laneChanges(opened, ours.tree, merged.tree);
      for (const { path } of steps) [after, usersTree].forEach((tree) => tree.delete(path));
      expect(after).toEqual(usersTree);
      // What a lane writes can be taken away by a lane that was there when it began only, and none was.
      const all = marksIn(await readTree(top));
      expect([...wereMarks].filter((mark) => !all.has(mark) && !taken.includes(mark))).toEqual([]);
      expect(marks.filter((mark) => !all.has(mark))).toEqual([]);
    }
    for (const { lane, commit } of recorded) {
      const inLane = withoutIgnored(lane.folder, await readTree(lane.folder));
      const bundle = await removeLane(opened, lane, "left");
      expect(existsSync(lane.folder)).toBe(false);
      if (bundle === null) {
        expect(commit).toBe(lane.base);
        continue;
      }
      const back = await restoreLane(opened, bundle);
      expect(await readTree(back.folder)).toEqual(inLane);
    }
    if (isOnBranch) {
      await leaveBranch(users, top);
      expect(await readTree(own)).toEqual(ownNow);
      expect(withoutBranch(await readGit(own))).toEqual(withoutBranch(gitNow));
    }
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function openBranch(users: LaneStore): Promise<LaneStore> {
  const tree = await openUnitTree(users, "unit", users.top);
  if (typeof tree === "string") throw new Error(tree);
  return atUnitTree(users, "unit");
}

/** Removes the tree of the branch where every mark in it is on the branch. */
async function leaveBranch(users: LaneStore, top: string): Promise<void> {
  const before = await readTree(top);
  const marks = [...marksIn(before)];
  const why = await removeUnitTree(users, "unit").then(() => null, String);
  // What it holds would be lost.
  if (why !== null) return expect(await readTree(top)).toEqual(before);
  expect(existsSync(top)).toBe(false);
  const nothing = git(users.top, "hash-object", "-t", "tree", "/dev/null").trim();
  const held = git(users.top, "diff", "--text", nothing, "gaia/unit");
  expect(marks.filter((mark) => !held.includes(mark))).toEqual([]);
}

/** All that git keeps for the user but the branch of a unit, its worktree, and objects that nobody names. */
function withoutBranch(all: ReadonlyMap<string, string>): Map<string, string> {
  return new Map(
    [...all].filter(([path]) => !/^(?:objects|worktrees|(?:logs\/)?refs\/heads\/gaia)(?:\/|$)/u.test(path)),
  );
}

/** What git ignores is no part of what it is told of. */
function withoutIgnored(folder: string, tree: ReadonlyMap<string, string>): Map<string, string> {
  const listed = git(folder, "ls-files", "-z", "--others", "--ignored", "--exclude-standard").split("\0");
  const isIgnored = (path: string): boolean =>
    listed.some((each) => each === path || (each.endsWith("/") && path.startsWith(each)));
  return new Map([...tree].filter(([path]) => !isIgnored(path)));
}

function marksIn(tree: ReadonlyMap<string, string>): Set<string> {
  return new Set([...tree.values()].flatMap((text) => text.match(MARK) ?? []));
}

it(
  `loses no byte of anybody's work in ${RUNS} generated repositories: the user's tree is what it was or the full result`,
  { timeout: 120_000 + RUNS * 3_000 },
  async () => {
    const seed = SEED === undefined ? {} : { seed: Number(SEED) };
    await fc.assert(fc.asyncProperty(STORY, tell), { numRuns: RUNS, ...seed, endOnFailure: false });
  },
);
