import { expect, it } from "vitest";
import {
  ANSWER,
  HELD,
  HOST_NEEDS,
  type HostRun,
  NOTE,
  OWN_TOOL,
  REFUSAL,
  RULE,
  SCENE,
  unmet,
} from "./host-needs.ts";

const before = (callId: string, effect: object) => ({ at: "before-tool", callId, effect });
const edits = (path: string, text: string | null, after: string, isPatch = false) => ({
  kind: "edit",
  isPatch,
  edits: [{ path, before: text, after }],
});
const [{ edit, write }, tools] = [SCENE, [OWN_TOOL]];

/** What a host shows that is all the product needs, as text: a fault is a piece of it that reads otherwise. */
const SHOWN = JSON.stringify({
  seen: [
    { at: "user-message", agent: "probe", said: "Begin" },
    before("c1", { kind: "command", command: SCENE.runs, workdir: null }),
    { at: "after-tool", kind: "command", exitCode: 3 },
    before("c2", { kind: "subtask" }),
    before("c3", { kind: "read", paths: [SCENE.read], patterns: [], addresses: [] }),
    before("c4", edits(edit.path, edit.before, edit.after)),
    before("c5", edits(write.path, null, write.after)),
    before("c6", edits("c.txt", "", "", true)),
    before("own", { kind: "other", paths: [], addresses: [] }),
    { at: "own-tool", callId: "own", agent: "probe", word: "go" },
    { at: "created", sessionId: "s2", parentId: "s1" },
    {
      at: "sessions",
      root: "s1",
      child: { id: "s2", parentId: "s1", metadata: { probe: "kept" } },
      children: ["s2"],
      turn: { text: ANSWER, failure: null },
      held: { text: "", failure: { reason: "other", message: "held", promptSaved: true } },
    },
  ],
  requests: [
    { agent: "probe", text: `${RULE}\nBegin`, tools },
    { agent: "probe", text: `${RULE}\nBegin\n${REFUSAL}`, tools },
    { agent: "helper", text: `${RULE}\nAnswer.`, tools },
    { agent: "native", text: "Hello", tools: ["read"] },
  ],
  files: { "a.txt": "new\n", "b.txt": "written", "c.txt": "patched", "ran.txt": "ran" },
} satisfies Record<keyof HostRun, unknown>);

/** For each need what is there, and what a host that does not meet it shows instead. */
const FAULTS: readonly (readonly [need: string, shown: string, instead: string])[] = [
  ["user-message", '"said":"Begin"', '"said":""'],
  ["system-prompt", `"text":"${RULE}\\nBegin"`, '"text":"Begin"'],
  ["gate-command", `"command":"${SCENE.runs}"`, '"command":""'],
  ["gate-edit", `"path":"${edit.path}"`, '"path":""'],
  ["gate-patch", '"isPatch":true', '"isPatch":false'],
  ["gate-read", `"paths":["${SCENE.read}"]`, '"paths":[]'],
  ["gate-subtask", '"kind":"subtask"', '"kind":"other"'],
  ["refusal-holds", '"ran.txt":', '"refused.txt":"ran","ran.txt":'],
  ["refusal-told", REFUSAL, "error"],
  ["turn-goes-on", '"a.txt":"new', '"a.txt":"old'],
  ["outcome", '"exitCode":3', '"exitCode":null'],
  ["own-tool", '"at":"own-tool","callId":"own"', '"at":"own-tool","callId":"another"'],
  ["tools-hidden", '"tools":["read"]', `"tools":["${OWN_TOOL}"]`],
  ["child-kept", '"id":"s2","parentId":"s1"', '"id":"s2","parentId":null'],
  ["prompt-answered", `"turn":{"text":"${ANSWER}"`, '"turn":{"text":""'],
  ["request-held", "Answer.", HELD],
  ["note-unseen", '"text":"Hello"', `"text":"${NOTE}"`],
];

// The same needs are asked of the real OpenCode in test/e2e/host-needs.test.ts.
it("finds all needs met where they are, and has a fault for each", () => {
  expect(unmet(JSON.parse(SHOWN) as HostRun)).toEqual([]);
  expect(FAULTS.map(([need]) => need).toSorted()).toEqual(HOST_NEEDS.map(({ id }) => id).toSorted());
});

it.each(FAULTS)("names the need %s where %s reads %s", (need, shown, instead) =>
  expect(unmet(JSON.parse(SHOWN.replace(shown, () => instead)) as HostRun)).toEqual([need]),
);
