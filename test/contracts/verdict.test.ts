import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { defineContract } from "../../src/contracts/contract.ts";
import { evaluateAnswer, problemsOf } from "../../src/contracts/evaluate.ts";
import { combineRepair, type Repaired } from "../../src/contracts/repair.ts";
import { readProse } from "../../src/contracts/verdict/prose.ts";
import { readWords, type Reading } from "../../src/contracts/verdict/words.ts";

const contract = defineContract({ reviews: true }, () => ({
  checks_run: z.array(z.string()),
  failures: z.array(z.string()),
  release_ready: z.boolean(),
}));
const DATA = { checks_run: ["npm test: 0"], failures: [], release_ready: true };
const GOOD = { ok: true, data: DATA, errors: [] };

const APPROVALS =
  "APPROVE|approve|Approved.|**APPROVED**|approved ✅|LGTM!|+1|ok|pass|APPROVE - all checks pass, no failures|APPROVE: no failures found|APPROVE (no concerns)|I approve this change because it is simple and tested|Looks good to me".split(
    "|",
  );
const OBJECTIONS =
  "REJECT|reject|Rejected.|Reject: tests fail|not approved|NOT_APPROVED|not-approved|Not Approved|cannot approve|can't approve|can’t approve this|I cannot approve this as it is|unable to approve|do not approve|never approve|disapprove|disapproved|unapproved|no approval|approval withheld|lack of approval|APPROVE with reservations|approve with minor changes|APPROVED WITH COMMENTS|conditionally approved|conditional approval|APPROVE if the tests pass|APPROVE, but fix the lint|APPROVE once it is fixed|approve unless it is urgent|approve after the fix|APPROVE (conditional on CI)|partially approved|tentative approve|approval pending|pending approval|request changes|REQUEST_CHANGES|changes requested|needs work|not ok|not ready|do not merge|don't ship|fail|FAILED|failing|no|NACK|veto|no-go|❌|👎|soft reject|BLOCKED|blocked: no runner|BLOCK|blocker|stuck".split(
    "|",
  );
/** No approvals either, but asked for once more. */
const DOUBTS =
  "APPROVE | REJECT | BLOCKED|approve/reject|not rejected|approval denied|approval refused|APPROVE?|approved: not yet|APPROVE: it does not compile|R E J E C T|rejeced|hold|on hold|nope|negative|thumbs down|-1|revise|abstain|broken|insufficient|approve the rejection|APPROVE\nREJECT".split(
    /(?<! )\|(?! )/,
  );
/** In other languages, with signs, numbers and hedges; none approves, and none is called a rejection. */
const NO_APPROVALS =
  "noch nicht approved|approve? nein|Approve: nein|approve nicht|approve - non|APPROVE sous réserve|approve sin tests|APPROVE (条件付き)|APPROVE 但是有问题|APPROVE (нет)|approve, allerdings nicht jetzt|APPROVE, aber erst nach Fix|APPROVE sobald die Tests laufen|APPROVE, wenn CI grün|APPROVE après correction|APPROVE 修正後|⚠️ APPROVE|⚠️|APPROVE ❓|APPROVE 🤔|🤷|🛑 APPROVE|✋|🟡|🔶 approve|🚧 approve|80%|80% approve|APPROVE 60%|7/10|APPROVE 3/10|approve 2/3|2 of 3 approved|approve (confidence 0.3)|APPROVE, low confidence|lgtm-ish|sort of LGTM|LGTM (untested)|lgtm minus the tests|Approve later|will approve soon|would approve|could be approved|might approve|to be approved|waiting for approval|needs approval|approval required|ready for approval|approve in principle|approve w/o tests|pre-approved|auto-approved|half approved|non-approval|un-approve|leaning approve|probably approve|I guess approve|!APPROVE|~~APPROVE~~|¬APPROVE|APPROVENOT|approve reluctantly|approve despite the race|approve only the docs|approve the first file|previously approved|APPROVE (revoked)|rescind approve|approve is premature|too early to approve|hard to approve|impossible to approve|instead of approve|approve given fixes|approve so long as it passes|approve; fix the lock first|APPROVE. Must fix race|APPROVE: needs a test|APPROVE (tests missing)|APPROVE: build broken|APPROVE, crashes on start|APPROVE: critical bug in auth|The user approved this|Approved by: the user".split(
    "|",
  );
const OTHER_OBJECTIONS =
  "Abgelehnt|nein|nicht genehmigt|refusé|rejeté|rechazado|no aprobado|却下|拒绝|не одобрено|нет|blockiert|bloqué|ブロック".split(
    "|",
  );
const OTHER_APPROVALS = [
  "I approve this change. Tests pass.",
  "All checks pass; approve",
  "LGTM 🚀",
  "👍🏻",
  "approved with no reservations",
  "All tests pass, no vulnerabilities found",
  "Approved, nothing to fix",
  "APPROVE: small, covered by tests, fixes the critical race",
  "APPROVE: adds the missing test",
  "APPROVE: sauber und getestet, keine Fehler",
  "APPROVE: 問題なし",
  "approve this change as it stands",
  "The diff is small, matches the plan and its tests pass, so I approve it.",
];
const EMPTY = ["", " ", "?", "…", "maybe", "PERHAPS", "n/a", "TBD", "unknown", "none", "null"];

const verdictOf = (result: Repaired): string | undefined =>
  (result.status === "valid" ? result.answer : result.salvage)?.outcome?.verdict;
/** What counts in the end of an answer whose reviewer says nothing more when asked. */
const settled = (text: string, again = "I have said all that I have to say."): string | undefined =>
  verdictOf(combineRepair(evaluateAnswer(contract, { text }), evaluateAnswer(contract, { text: again })));

describe("the words of a verdict", () => {
  const named: [string, (reading: Reading) => boolean, string[]][] = [
    ["an approval", (reading) => reading === "APPROVE", APPROVALS],
    ["an objection", (reading) => reading === "REJECT" || reading === "BLOCKED", OBJECTIONS],
    ["in doubt", (reading) => reading === "doubtful", DOUBTS],
    ["an objection", (reading) => reading === "REJECT" || reading === "BLOCKED", OTHER_OBJECTIONS],
    ["no approval", (reading) => reading !== "APPROVE" && reading !== null, NO_APPROVALS],
    ["an approval", (reading) => reading === "APPROVE", OTHER_APPROVALS],
    ["nothing", (reading) => reading === null, EMPTY],
  ];
  it.each(named.flatMap(([name, is, texts]) => texts.map((text) => [text, name, is] as const)))(
    "%j are %s",
    (text, _name, is) => {
      const reading = readWords(text);
      expect(is(reading), `read as ${reading}`).toBe(true);
    },
  );

  it.each([
    ["Verdict: REJECT", "REJECT"],
    ["**Verdict:** Rejected", "REJECT"],
    ["My final verdict is APPROVE", "APPROVE"],
    ["## Outcome\n\nREJECT", "REJECT"],
    ["- Decision — do not merge until the lock is held", "REJECT"],
    ["I cannot approve this change.", "REJECT"],
    ["This should not be merged.", "REJECT"],
    ["The change is not ready to ship", "REJECT"],
    ["It is fine. I reject this all the same.", "REJECT"],
    ["BLOCKED: there is no runner.", "BLOCKED"],
    ["Everything holds, so I approve this change.", "APPROVE"],
    ["I approve this if the tests pass.", "REJECT"],
    ["Can I approve this?", undefined],
    ["I withdraw my approval.", "REJECT"],
    ["> I approve this change.", "doubtful"],
    ["Urteil: abgelehnt", "REJECT"],
    ["Verdict: 却下", "REJECT"],
    ["Mein Urteil: ABGELEHNT, da die Sperre fehlt.", "REJECT"],
    ["结论：拒绝。没有锁。", "REJECT"],
    ["Ich lehne diese Änderung ab.", "REJECT"],
    ["Je rejette ce changement.", "REJECT"],
    ["No apruebo este cambio.", "REJECT"],
    ["我不同意合并此更改。", "REJECT"],
    ["Вердикт: отклонено", "REJECT"],
    ["Итог: требуется доработка", "REJECT"],
    ["Не одобряю это изменение.", "REJECT"],
    ["القرار: مرفوض", "REJECT"],
    ["لا أوافق على هذا التغيير.", "REJECT"],
    ["판정: 반려", "REJECT"],
    ["승인하지 않습니다.", "REJECT"],
    ["最终裁决：打回", "REJECT"],
    ["評価結果: 差し戻し", "REJECT"],
    ["この変更は承認しない。", "REJECT"],
    ["Veredito: rejeitado", "REJECT"],
    ["Karar: reddedildi", "REJECT"],
    ["Verdict : à revoir", "doubtful"],
    ["Verdict: REJЕCT", "doubtful"],
    ["निर्णय: अस्वीकृत", "doubtful"],
    ["$\\boxed{\\text{REJECT}}$", "REJECT"],
    ["结果：测试全部通过", undefined],
    ["Решение: использовать кэш", undefined],
    ["Changing my verdict to REJECT.", "REJECT"],
    ["Actually, REJECT: the tests fail.", "REJECT"],
    ["My decision has to be a rejection.", "REJECT"],
    ["I saw no reason to change my verdict to REJECT.", undefined],
    ["- [ ] REJECT", undefined],
    ["- [x] APPROVE", "APPROVE"],
    ["- [x] REJECT", "REJECT"],
    ["Actually, rejected tokens are logged, and there is a test.", undefined],
    ["Result: 12 passed", undefined],
    ["Status: completed", undefined],
    ["The API does not accept empty strings.", undefined],
    ["The request is rejected when the token is missing.", undefined],
    ["The call is blocked by the mutex in the worker.", undefined],
  ])("%j in prose say %s", (prose, expected) => {
    expect(readProse(prose)[0]?.reading).toBe(expected);
  });
});

/** Ways in which an answer holds a verdict. */
const CARRIERS: Record<string, (verdict: string) => string> = {
  "a word as outcome": (verdict) => JSON.stringify({ ...GOOD, outcome: verdict }),
  "the contract's own": (verdict) =>
    JSON.stringify({ ...GOOD, outcome: { verdict, reason: null, next_step: null } }),
  "another key in outcome": (verdict) => JSON.stringify({ ...GOOD, outcome: { decision: verdict } }),
  "status in outcome": (verdict) => JSON.stringify({ ...GOOD, outcome: { status: verdict, reason: 7 } }),
  nested: (verdict) => JSON.stringify({ ...GOOD, outcome: { result: { verdict } } }),
  "in a list": (verdict) => JSON.stringify({ ...GOOD, outcome: [{ verdict }] }),
  verdict: (verdict) => JSON.stringify({ ...GOOD, verdict }),
  Decision: (verdict) => JSON.stringify({ ...GOOD, Decision: verdict }),
  final_verdict: (verdict) => JSON.stringify({ ...GOOD, final_verdict: verdict }),
  conclusion: (verdict) => JSON.stringify({ ...GOOD, conclusion: { value: verdict } }),
  reviewOutcome: (verdict) => JSON.stringify({ ...GOOD, reviewOutcome: verdict }),
  "inside data": (verdict) => JSON.stringify({ ...GOOD, data: { ...DATA, outcome: { verdict } } }),
  "the contract wrapped": (verdict) => JSON.stringify({ result: { ...GOOD, outcome: { verdict } } }),
  "a contract that does not fit": (verdict) =>
    JSON.stringify({ ok: true, data: { checks_run: 7 }, outcome: { verdict } }),
  "nothing but it": (verdict) => JSON.stringify({ outcome: verdict }),
  "an object that is cut off": (verdict) => `{"outcome": {"verdict": ${JSON.stringify(verdict)}}, "ok": tr`,
  "a label before the contract": (verdict) =>
    `Verdict: ${verdict}\n\n\`\`\`json\n${JSON.stringify(GOOD)}\n\`\`\``,
  "a label behind it": (verdict) => `${JSON.stringify(GOOD)}\n**Outcome:** ${verdict}`,
  "a label, and no contract": (verdict) => `I have looked at it.\nDecision: ${verdict}`,
};
const carriers = fc.constantFrom(...Object.keys(CARRIERS));
const write = (carrier: string, verdict: string): string => CARRIERS[carrier]?.(verdict) ?? "";
const spelt = (words: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...words), fc.constantFrom("", " ", "**", "`"), fc.nat(2))
    .map(([word, mark, how]) => {
      const cased = [word, word.toLowerCase(), word.toUpperCase()][how] ?? word;
      return `${mark}${cased}${mark}`;
    });

describe("the verdict of an answer", () => {
  it.each(Object.keys(CARRIERS))("is read as %s", (carrier) => {
    expect(settled(write(carrier, "Reject"))).toBe("REJECT");
    expect(settled(write(carrier, "blocked"))).toBe("BLOCKED");
    expect(settled(write(carrier, "approve"))).toBe("APPROVE");
  });

  it("is no approval where it objects or is in doubt, however it is written, and whatever the repair brings", () => {
    const labelled = new Set(Object.keys(CARRIERS).filter((name) => name.includes("label")));
    const bad = fc.tuple(carriers, spelt([...OBJECTIONS, ...DOUBTS]));
    fc.assert(
      fc.property(bad, fc.constantFrom("", "no", JSON.stringify(GOOD)), ([carrier, verdict], again) => {
        // A label is followed by what is on its line, and may be about something else.
        if (labelled.has(carrier) && readWords(verdict.split("\n")[0] ?? "") === "doubtful") return;
        expect(["REJECT", "BLOCKED"]).toContain(settled(write(carrier, verdict), again));
      }),
      { numRuns: 1_500 },
    );
  });

  it("is an objection where it stands beside an approval, in whichever order, before or after the repair", () => {
    const two = fc.tuple(carriers, fc.constantFrom(...OBJECTIONS), carriers, fc.constantFrom(...APPROVALS));
    fc.assert(
      fc.property(two, fc.boolean(), fc.boolean(), ([a, objection, b, approval], isLater, isApart) => {
        const both = [write(a, objection), write(b, approval)];
        const [first = "", second = ""] = isLater ? both.toReversed() : both;
        const verdict = isApart ? settled(first, second) : settled(`${first}\n\n${second}`);
        expect(["REJECT", "BLOCKED"]).toContain(verdict);
      }),
      { numRuns: 1_500 },
    );
  });

  it.each(["\\boxed{REJECT}", "| Verdict | REJECT |\n|---|---|", "<verdict>REJECT</verdict>", "裁决：拒绝"])(
    "is read beside a contract that names none: %s",
    (words) => expect(settled(`${words}\n\n${JSON.stringify(GOOD)}`)).toBe("REJECT"),
  );

  it("is read under a name of another language", () => {
    expect(settled(JSON.stringify({ ...GOOD, Вердикт: "отклонено" }))).toBe("REJECT");
    expect(settled(JSON.stringify({ ...GOOD, outcome: { 裁决: "不通过" } }))).toBe("REJECT");
  });

  it("keeps its reason and its next step under whatever names they stand", () => {
    const read = (outcome: unknown) =>
      evaluateAnswer(contract, { text: JSON.stringify({ ...GOOD, outcome }) });
    expect(read({ decision: "reject", rationale: ["slow", "wrong"], next: "undo it" })).toMatchObject({
      answer: { outcome: { verdict: "REJECT", reason: "slow; wrong", next_step: "undo it" } },
    });
    expect(read("REJECT: it races")).toMatchObject({ answer: { outcome: { reason: "it races" } } });
  });

  it("is asked for once where there is none, and only then none is held against the work", () => {
    const silent = evaluateAnswer(contract, { text: JSON.stringify(GOOD) });
    expect(problemsOf(silent)).toEqual([expect.stringContaining("say APPROVE, REJECT or BLOCKED")]);
    expect(combineRepair(silent, silent)).toMatchObject({
      status: "valid",
      answer: { data: DATA },
      note: expect.stringContaining("it counts as APPROVE"),
    });
    const said = evaluateAnswer(contract, { text: "REJECT, the tests fail." });
    expect(combineRepair(silent, said)).toMatchObject({
      status: "valid",
      answer: { data: DATA, outcome: { verdict: "REJECT" } },
    });
    for (const text of APPROVALS) {
      const named = evaluateAnswer(contract, { text: JSON.stringify({ ...GOOD, outcome: text }) });
      expect(problemsOf(named)).toEqual([]);
    }
  });

  it("that was in doubt can be made plain in the repair, and else is no approval", () => {
    const doubtful = JSON.stringify({ ...GOOD, outcome: "on hold" });
    expect(settled(doubtful, JSON.stringify({ ...GOOD, outcome: "APPROVE" }))).toBe("APPROVE");
    expect(settled(doubtful, doubtful)).toBe("REJECT");
    expect(settled(JSON.stringify(GOOD), doubtful)).toBe("REJECT");
  });
});

describe("an answer that contradicts itself", () => {
  const approved = (data: object, rest: object = {}) =>
    evaluateAnswer(contract, {
      text: JSON.stringify({ ...GOOD, data: { ...DATA, ...data }, outcome: { verdict: "APPROVE" }, ...rest }),
    });
  it.each<[string, object, object?]>([
    ["ok is false", {}, { ok: false }],
    ["it is not ready", { release_ready: false }],
    ["failures are listed", { failures: ["lint: a.ts:3: unused"] }],
    ["a check exited with a code", { checks_run: ["npm test: 1"] }],
    ["a check exited in words", { checks_run: ["npm run lint: exit code 2"] }],
    ["tests failed", { checks_run: ["npm test: 3 failed, 10 passed"] }],
    ["the risk is critical", { risk_level: "critical" }],
    ["a finding is critical", { vulnerabilities: [{ issue: "rce", severity: "critical" }] }],
    ["a finding is high", { vulnerabilities: [{ issue: "xss", severity: "high" }] }],
    ["a finding blocks", { findings: [{ title: "no lock", severity: "BLOCK" }] }],
    ["a finding is said to be critical", { findings: ["CRITICAL: the key is in the log"] }],
    ["tests did not pass", { pass_status: "fail" }],
    ["tests passed in part", { pass_status: "partial" }],
    ["blockers are listed", { blockers: ["no access"] }],
    ["tests passed in numbers", { pass_status: "3/5 passed" }],
    ["tests did not pass, as a no", { pass_status: false }],
    ["a grade has words behind it", { findings: [{ issue: "rce", severity: "Critical (unmitigated)" }] }],
    ["a grade has words before it", { findings: [{ issue: "rce", severity: "very high" }] }],
    ["a grade is the highest number", { findings: [{ issue: "rce", severity: "5/5" }] }],
    ["a score is a high one", { vulnerabilities: [{ issue: "rce", cvss: 9.8 }] }],
    ["the impact is critical", { failure_scenarios: [{ scenario: "loss", impact: "critical" }] }],
  ])("is rejected: %s", (_name, data, rest) => {
    expect(approved(data, rest)).toMatchObject({
      status: "valid",
      answer: { outcome: { verdict: "REJECT", reason: expect.stringMatching(/^It says APPROVE, but /) } },
      note: expect.stringContaining("contradicts itself"),
    });
  });

  it.each<[object]>([
    [{ failures: ["none"] }],
    [{ failures: ["0 failures"] }],
    [{ checks_run: ["npm test: 0", "npm run lint: exit 0", "test/it-fails.ts: 0", "vitest run a.ts:12"] }],
    [{ checks_run: ["npm test: 10 passed, 0 failed"] }],
    [{ risk_level: "medium", vulnerabilities: [{ issue: "style", severity: "low" }] }],
    [{ pass_status: "pass" }],
    [{ pass_status: "5/5 passed" }],
    [
      {
        findings: [
          { issue: "slow", severity: "high-ish" },
          { issue: "on the critical path", severity: "low" },
        ],
      },
    ],
  ])("does not where all is well: %j", (data) => {
    expect(approved(data)).toMatchObject({ answer: { outcome: { verdict: "APPROVE" } }, note: null });
  });

  it.each<[string, object, object?]>([
    ["it is not ready yet", { release_ready: "not yet" }],
    ["it is ready once something is done", { release_ready: "after the fix" }],
    ["nobody may merge it", { safe_to_merge: false }],
    ["the build is red", { build_passed: false }],
    ["it is a no in another form", {}, { ok: 0 }],
    ["something must be fixed", { must_fix: ["the race"] }],
    ["something blocks", { blocking_issues: ["the race"] }],
    ["changes are needed", {}, { outcome: { verdict: "APPROVE", changes_requested: true } }],
    ["it has conditions", {}, { outcome: { verdict: "APPROVE", conditions: ["fix the race"] } }],
    ["tests are counted as failed", { tests_failed: 2 }],
    ["a grade has signs around it", { findings: [{ severity: "**CRITICAL!**" }] }],
    ["a check has a cross", { checks_run: ["npm test: ❌"] }],
    ["a check's code is in brackets", { checks_run: ["npm test (exit 1)"] }],
    ["a check took too long", { checks_run: ["npm test: timed out"] }],
    ["its reason refuses", {}, { outcome: { verdict: "APPROVE", reason: "I cannot approve this yet" } }],
    ["its reason begins so", {}, { outcome: { verdict: "APPROVE", reason: "REJECT: it races" } }],
    ["the eleventh vote", {}, { votes: [...Array.from({ length: 10 }, () => "APPROVE"), "REJECT"] }],
    ["a vote of a list", {}, { verdicts: ["APPROVE", "REJECT"] }],
    ["a score stands for the yes", {}, { outcome: { approved: 0 } }],
  ])("is no approval: %s", (_name, data, rest) => {
    const outcome = { verdict: "APPROVE" };
    const text = JSON.stringify({ ...GOOD, data: { ...DATA, ...data }, outcome, ...rest });
    expect(["REJECT", "BLOCKED"]).toContain(settled(text, text));
  });

  it.each([
    "Orders that cannot be shipped are refused.",
    "Users who are not approved get a 403.",
    "Rejected tokens are logged; we have a test for it.",
  ])("approves with a reason that tells of other things: %s", (reason) => {
    expect(approved({}, { outcome: { verdict: "APPROVE", reason } })).toMatchObject({
      answer: { outcome: { verdict: "APPROVE" } },
    });
  });

  it.each([
    { must_fix: [], blocking_issues: ["none"], changes_requested: false },
    { tests_passed: 0, checks_passed: "0" },
    { tests_failed: 0, conditions: ["the API answers 200"], safe_to_merge: true },
    { summary: "Approval of orders is checked twice" },
  ])("approves where nothing is asked for: %j", (data) => {
    expect(approved(data)).toMatchObject({ answer: { outcome: { verdict: "APPROVE" } }, note: null });
  });

  it("objects without a verdict as well", () => {
    const text = JSON.stringify({ ...GOOD, ok: false, errors: ["the runner is missing"] });
    expect(evaluateAnswer(contract, { text })).toMatchObject({
      answer: { outcome: { verdict: "REJECT", reason: expect.stringContaining("the runner is missing") } },
    });
  });
});

describe("an approval beside which something is open", () => {
  const approved = (rest: object, data: object = {}): string =>
    JSON.stringify({ ...GOOD, data: { ...DATA, ...data }, outcome: { verdict: "APPROVE" }, ...rest });
  const twice = (first: string): string => approved({}).replace("{", `{${first},`);
  const plain = approved({});

  it.each<[string, string]>([
    ["errors are listed", approved({ errors: ["the database was not there"] })],
    ["parts are listed as rejected", approved({ rejected: ["auth"] })],
    [
      "it is bound to something",
      approved({ outcome: { verdict: "APPROVE", reason: "provided the race is gone" } }),
    ],
    [
      "a fix comes next",
      approved({ outcome: { verdict: "APPROVE", next_step: "hephaestus must fix a.ts:3" } }),
    ],
    ["another reviewer of a list rejects", approved({ reviewers: [{ name: "a", verdict: "REJECT" }] })],
    ["one deep down does", approved({}, { panel: { of: [{ by: { name: "b", approved: false } }] } })],
    ["one of a map does", approved({ reviewers: { hades: "REJECT", aether: "APPROVE" } })],
    ["one of a list of words does", approved({}, { reviewers: ["aether: APPROVE", "hades: rejected"] })],
    ["it is hardly sure", approved({ confidence: 0.1 })],
    ["it is hardly sure in words", approved({}, { confidence: "low" })],
    ["its score is low", approved({}, { score: "3/10" })],
    ["it is half sure in per cent", approved({}, { certainty_score: 50 })],
    ["a check was not run", approved({}, { checks_run: ["npm test: not run"] })],
    ["a check was skipped", approved({}, { checks_run: [{ command: "npm test", status: "skipped" }] })],
    ["a check did not run", approved({}, { checks_run: [{ command: "npm test", ran: false }] })],
    ["a check could not run", approved({}, { checks_run: ["npm test - could not be run"] })],
    ["a flag deep down says no", approved({}, { summary: { release: { release_ready: false } } })],
    ["failures are listed deep down", approved({}, { suites: [{ name: "unit", failures: ["a"] }] })],
    [
      "its reason demands",
      approved({
        outcome: { verdict: "APPROVE", reason: "Sound. The race has to go before this is merged." },
      }),
    ],
    ["a finding demands", approved({}, { findings: ["NOTE a.ts:3: must be fixed before it can be merged"] })],
    ["its words demand in front", `The lock must be fixed before it can be merged.\n\n${plain}`],
    ["its words demand behind", `${plain}\nBefore you release this, the key should be rotated.`],
    ["an earlier outcome is overwritten", twice('"outcome": {"verdict": "REJECT"}')],
    ["an earlier ok is overwritten", twice('"ok": false')],
    [
      "an earlier verdict in it is",
      approved({ outcome: 1 }).replace('"outcome":1', '"outcome":{"verdict":"REJECT","verdict":"APPROVE"}'),
    ],
  ])("is asked for once more, or rejected, and said again is none: %s", (_name, text) => {
    const evaluation = evaluateAnswer(contract, { text });
    const isAsked = problemsOf(evaluation).some((problem) => problem.includes("your verdict is not plain"));
    expect(isAsked || evaluation.verdict?.kind === "named").toBe(true);
    expect(settled(text, text)).toBe("REJECT");
    if (isAsked) expect(settled(text, plain)).toBe("APPROVE");
  });

  it.each<[object, object?]>([
    [{ errors: [] }],
    [{ errors: ["none"] }],
    [{ rejected: [] }],
    [{ outcome: { verdict: "APPROVE", next_step: "Nothing to fix; commit it." } }],
    [{ outcome: { verdict: "APPROVE", reason: "After the fix all tests pass." } }],
    [{ assumptions: [{ text: "the port is 80", confidence: 0.3 }] }],
    [{ confidence: 0.95 }],
    [{ confidence: "high" }],
    [{ confidence: "90%" }],
    [{ score: 9 }],
    [{}, { checks_run: ["npm test: 10 passed, 2 skipped"] }],
    [{}, { checks_run: ["npm run e2e: not run"], known_issues: ["npm run e2e needs a browser"] }],
    [{}, { vulnerabilities: [], rollback_plan: "revert the commit", minimal_patch: "" }],
    [
      {},
      {
        vulnerabilities: [
          {
            issue: "A refused token is logged",
            severity: "low",
            testable_scenario: "Send a token that must be rejected before it is merged into the session",
            suggested_fix_agent: "artemis",
          },
        ],
      },
    ],
    [
      {},
      { findings: ["NOTE src/a.ts:3: the name should say that it blocks", "NOTE: fails closed, as it must"] },
    ],
    [
      {},
      {
        residual_risks: ["Clients that were rejected try again at once"],
        coverage_notes: "No test covers a rejected write.",
      },
    ],
    [
      {
        outcome: {
          verdict: "APPROVE",
          reason: "Input is checked before it is stored.",
          next_step: "Commit; run the migration before the release.",
        },
      },
    ],
    [{}, { reviewers: [{ name: "aether", verdict: "APPROVE" }], reviewed: ["a.ts", "b.ts"], files: 3 }],
  ])("is not asked for again where nothing is: %j %j", (rest, data) => {
    const evaluation = evaluateAnswer(contract, {
      text: `Nothing must be fixed before merging.\n${approved(rest, data)}`,
    });
    expect(problemsOf(evaluation)).toEqual([]);
    expect(evaluation).toMatchObject({ answer: { outcome: { verdict: "APPROVE" } }, note: null });
  });
});

describe("one whose verdict is only to be read", () => {
  it("is not asked for it, and nothing is held against it", () => {
    const optional = defineContract({ reviews: "optional" }, () => ({ failures: z.array(z.string()) }));
    const read = (rest: object) =>
      evaluateAnswer(optional, { text: JSON.stringify({ ok: true, data: { failures: ["x"] }, ...rest }) });
    expect(problemsOf(read({}))).toEqual([]);
    expect(read({ outcome: "blocked" })).toMatchObject({ answer: { outcome: { verdict: "BLOCKED" } } });
    expect(read({ outcome: "APPROVE" })).toMatchObject({ answer: { outcome: { verdict: "APPROVE" } } });
  });
});
