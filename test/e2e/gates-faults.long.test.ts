import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHILD_METADATA_KEY } from "../../src/delegation/child-session.ts";
import { ROOT_MARK } from "../../src/delegation/gaia-sessions.ts";
import { SNAPSHOT_KEY } from "../../src/conversation/display/metadata-keys.ts";
import { recordOf } from "../../src/lib/json.ts";
import { messagesOf, type RecordedRequest } from "../../src/scripted-model/request.ts";
import { call, say, type Turn } from "../../src/scripted-model/turn.ts";
import { FAULTY_PLUGIN, setFaults, type Fault } from "../support/faults.ts";
import { openProject, type Outcome, type Project, lastText } from "../support/project.ts";
import { reopen } from "../support/reopen.ts";
import { done, has, lastUser, mode, sessionIn, type, untilState, write } from "./scenes.ts";

const SESSION = "get /session/{sessionID}";
const UNDECIDED = /^Refused: .*could not decide/;
/** Longer than one request to OpenCode may take. */
const PATIENT = { patienceMs: 50_000 };
const LOCKED = /the session is locked/;
const LOOK = call("delegate_gaia", { agent: "minerva", goal: "look" });
const NOT_OPENED = { status: "failed", message: expect.stringMatching(/OpenCode/) as string };

let project: Project;
beforeAll(async () => {
  project = await openProject({ plugin: FAULTY_PLUGIN, config: { permission: { bash: "ask" } } });
  project.model.always("title", say("A title"));
});
afterAll(async () => project.close());

/** Writes the file that it is told of, once. */
function writesWhatItIsTold(request: RecordedRequest): Turn {
  const isOver = messagesOf(request.body).at(-1)?.["role"] === "tool";
  const name = /[\w-]+\.txt/.exec(lastText(request, "user"))?.[0] ?? "";
  return isOver ? say("Tried.") : write(project, name);
}

/** Prompts and waits, longer than one request to OpenCode may take. */
async function patiently(agent: string, text: string, session: string): Promise<Outcome> {
  const { start, until, events, outcome } = project;
  await start(agent, text, { session });
  await until(`the end of "${text}"`, () =>
    events.some(
      ({ type: name, properties }) => name === "session.idle" && properties["sessionID"] === session,
    ),
  );
  return outcome(session);
}

/** What became of the newest call. */
const last = ({ tools }: Outcome) => tools.at(-1);

describe("who speaks, and what is locked, while OpenCode does not tell", () => {
  it("is refused with words until it is known, and nothing of it is remembered", async () => {
    project.model.always("gaia", say("I see."));
    const roots = Object.fromEntries(
      await Promise.all(
        ["fails", "throws", "hangs", "answers late", "of-a-child"].map(
          async (how) => [how, await sessionIn(project, "locked")] as const,
        ),
      ),
    ) as Record<Fault["how"] | "of-a-child", string>;
    const child = recordOf(
      await project.call("POST", "/session", {
        parentID: roots["of-a-child"],
        title: "its child",
        metadata: { [CHILD_METADATA_KEY]: { agent: "hephaestus" } },
      }),
    );
    const [native, gone, guest] = await Promise.all([
      project.session(),
      project.session(),
      project.session(),
    ]);
    project = await reopen(project, PATIENT);
    for (const agent of ["native", "hephaestus"]) project.model.always(agent, writesWhatItIsTold);
    await setFaults(project, [
      ...(["fails", "throws", "hangs", "answers late"] as const).map((how) => ({
        request: SESSION,
        session: roots[how],
        how,
      })),
      ...[roots["of-a-child"], native, guest].map((session) => ({
        request: SESSION,
        session,
        how: "fails" as const,
      })),
      { request: SESSION, session: gone, how: "is missing" },
      { request: "post /session", how: "hangs" },
    ]);
    project.model.script("gaia", LOOK, say("Over."));
    const unopened = patiently("gaia", "Look", await project.session());
    const SCENES: readonly (readonly [
      name: string,
      agent: string,
      session: string,
      refused: RegExp | null,
    ])[] = [
      ["fails", "build", roots["fails"], UNDECIDED],
      ["throws", "build", roots["throws"], UNDECIDED],
      ["hangs", "build", roots["hangs"], UNDECIDED],
      ["late", "build", roots["answers late"], LOCKED],
      ["child", "hephaestus", String(child["id"]), UNDECIDED],
      ["native", "build", native, UNDECIDED],
      ["guest", "hephaestus", guest, UNDECIDED],
      // What OpenCode does not have is none of GAIA's: no failure means that.
      ["gone", "build", gone, null],
    ];
    await Promise.all(
      SCENES.map(async ([name, agent, session, refused]) => {
        const row = last(await patiently(agent, `Write ${name}.txt`, session));
        if (refused === null) expect([name, row?.status]).toEqual([name, "completed"]);
        else expect([name, row?.error]).toEqual([name, expect.stringMatching(refused)]);
        expect([name, has(project, `${name}.txt`)]).toEqual([name, refused === null]);
      }),
    );
    expect(JSON.parse((await unopened).tools[0]?.output ?? "")).toMatchObject(NOT_OPENED);

    await setFaults(project, []);
    project.autoAnswer(() => "once");
    await Promise.all(
      SCENES.map(async ([name, agent, session]) => {
        const row = last(await project.prompt(agent, `Write ${name}-again.txt`, { session }));
        const isOpen = ["native", "guest", "gone"].includes(name);
        if (isOpen) expect([name, row?.status]).toEqual([name, "completed"]);
        else expect([name, row?.error]).toEqual([name, expect.stringMatching(LOCKED)]);
        expect([name, has(project, `${name}-again.txt`)]).toEqual([name, isOpen]);
      }),
    );
    project.autoAnswer(() => null);
  });
});

describe("a snapshot", () => {
  it("that is damaged or gone is locked after a restart, told, and opened by the user", async () => {
    project.model.always("gaia", say("I see."));
    const damages: ((metadata: object) => object)[] = [
      (metadata) => ({ ...metadata, [SNAPSHOT_KEY]: { version: 1, wave: "approved" } }),
      (metadata) => ({ ...metadata, [SNAPSHOT_KEY]: { version: 2 } }),
      (metadata) => ({ ...metadata, [SNAPSHOT_KEY]: "autopilot" }),
      () => ROOT_MARK,
    ];
    const sessions: string[] = [];
    for (const _ of damages) {
      sessions.push(await sessionIn(project, "autopilot"));
    }
    project = await reopen(project, PATIENT);
    const toasts = (): number =>
      project.events.filter(({ properties }) =>
        String(properties["message"]).includes("so it is locked: /supervised or /autopilot opens it again"),
      ).length;
    for (const [index, damage] of damages.entries()) {
      const session = sessions[index]!;
      const before = recordOf(recordOf(await project.call("GET", `/session/${session}`))["metadata"]);
      await project.call("PATCH", `/session/${session}`, { metadata: damage(before) });
      const seen = toasts();
      project.model.script("gaia", call("delegate_gaia", { agent: "hephaestus", goal: "go" }), say("No."));
      const { tools } = await project.prompt("gaia", "Build it", { session });
      expect(lastUser(project)).toMatch(/mode="?locked/);
      expect(tools.at(-1)?.output ?? "").toMatch(/locked/);
      await project.until("a toast", () => toasts() > seen);
      await type(project, session, "supervised");
      await untilState(project, session, "an open conversation", (state) => mode(state) === "supervised");
    }
  });
});

describe("answers to requests", () => {
  it.each(["fails", "hangs", "answers late"] as const)(
    "that the plugin gives are left to the user where OpenCode %s",
    async (how) => {
      project.model.always("gaia", say("Autopilot."));
      const session = await project.session();
      await type(project, session, "autopilot");
      project.model.always("gaia", say("Done."));
      project.model.script(
        "gaia",
        call("delegate_gaia", { agent: "hephaestus", goal: `write it` }),
        say("Done."),
      );
      const name = `by-${how.replace(" ", "-")}.txt`;
      project.model.script("hephaestus", write(project, name), done);
      await setFaults(project, [{ request: "post /permission/{requestID}/reply", how }]);
      const answered = project.prompt("gaia", "Write it", { session });
      if (how !== "answers late") {
        const asked = await project.permission();
        expect(has(project, name)).toBe(false);
        await project.answer(asked, "once");
      }
      await answered;
      expect(has(project, name)).toBe(true);
      await setFaults(project, []);
    },
  );
});
