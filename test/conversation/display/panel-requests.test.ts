import { readdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { REQUEST_KEY } from "../../../src/conversation/display/metadata-keys.ts";
import { loadPanelKey, panelKeyPath, sealed } from "../../../src/conversation/display/panel-key.ts";
import { followRequests } from "../../../src/conversation/display/panel-requests.ts";
import type { Conversations } from "../../../src/conversation/conversations.ts";
import type { HostEvent } from "../../../src/host/port.ts";
import { isProtectedPath } from "../../../src/policy/protected-path.ts";
import { isSensitivePath } from "../../../src/policy/sensitive-path.ts";
import { createSeal } from "../../../src/lib/seal.ts";
import { openFolder } from "../../support/directory.ts";
import { createFakeClock, type FakeClock } from "../../support/fake-clock.ts";
import { createFakeHost, type FakeHost } from "../../support/fake-host.ts";
import { createTestServices, openConversation } from "../../support/services.ts";

const SEAL = createSeal(() => "a".repeat(64));
const OTHERS = createSeal(() => "b".repeat(64));
const GOOD = { id: "1", session: "root", from: "root", at: 1_000_000, command: "locked" };

describe("requests of the panel", () => {
  let host: FakeHost;
  let clock: FakeClock;
  let conversations: Conversations;
  let follow: (event: HostEvent) => void;
  let root: string;
  let heard: string[];
  beforeEach(async () => {
    heard = [];
    host = createFakeHost();
    clock = createFakeClock(GOOD.at);
    root = (await host.sessions.create({ parentId: "", title: "root", agent: "gaia" })).id;
    const services = createTestServices({ host, clock });
    ({ conversations } = await openConversation(services, root));
    const times = { timeOfDay: clock, began: clock.now() };
    follow = followRequests(
      { ...services, ...times, conversations, seal: SEAL },
      async ({ command }, { conversation: { rootId } }) => {
        heard.push(`${command} in ${rootId === root ? "root" : rootId}`);
      },
    );
  });

  /** The panel writes a request, and OpenCode tells of it. */
  async function request(
    rest: object,
    sessionId = root,
    forge = (request: object) => request,
  ): Promise<void> {
    const words = { ...GOOD, session: sessionId, from: sessionId, ...rest };
    await host.sessions.setMetadata(sessionId, { [REQUEST_KEY]: forge(sealed(words, SEAL)) });
    const session = await host.sessions.get(sessionId);
    if (session !== null) follow({ type: "session.updated", session });
    await clock.advance(300);
  }
  it.each<[string, object]>([
    ["without a time", { at: "now" }],
    ["for another session, by a fork", { session: "other" }],
    ["that was left over", { at: GOOD.at - 10 * 60_000 }],
  ])("%s are left alone", async (_name, rest) => {
    await request(rest);
    expect([heard, host.toasts]).toEqual([[], []]);
  });
  it("are heard once, by the conversation that they are meant for", async () => {
    await request({});
    expect(host.stored.get(root)?.metadata[REQUEST_KEY]).toBeUndefined();
    await request({});
    expect(heard).toEqual(["locked in root"]);
  });

  it("in a session of another agent are left alone, and nothing is written there", async () => {
    const other = (await host.sessions.create({ parentId: "", title: "build", agent: "build" })).id;
    await request({}, other);
    expect(Object.keys(host.stored.get(other)?.metadata ?? {})).toEqual([REQUEST_KEY]);
    expect(host.toasts).toEqual([]);
  });

  it.each<[string, (request: object) => object]>([
    ["no seal", (good) => ({ ...good, seal: undefined })],
    ["an empty one", (good) => ({ ...good, seal: "" })],
    ["one of another key", () => sealed({ ...GOOD, session: root, from: root }, OTHERS)],
    [
      "one of another command",
      (good) => ({ ...good, seal: sealed({ ...GOOD, command: "supervised" }, SEAL).seal }),
    ],
  ])("with %s are ignored, and the user is told", async (_name, forge) => {
    await request({}, root, forge);
    expect(heard).toEqual([]);
    expect(host.toasts).toEqual([expect.stringContaining("did not come from the panel")]);
    expect(host.stored.get(root)?.metadata[REQUEST_KEY]).toBeUndefined();
  });
});

it("the key of the panel is made once, for its user alone, whoever comes first", async () => {
  const home = await openFolder();
  const path = panelKeyPath({ XDG_DATA_HOME: join(home, ".local/share") });
  expect(path).toBe(join(home, ".local/share/opencode-gaia/panel.key"));
  const key = loadPanelKey(path);
  expect(loadPanelKey(path)).toBe(key);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(dirname(path))).toEqual(["panel.key"]);
  expect(isProtectedPath(path)).toBe(true);
  expect(isSensitivePath(path, ["**"])).toBe(true);
  // As a crash of the machine leaves it.
  await writeFile(path, "");
  const next = loadPanelKey(path);
  expect(next).not.toBe(key);
  expect(loadPanelKey(path)).toBe(next);
});
