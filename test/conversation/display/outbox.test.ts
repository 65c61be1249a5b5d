import { beforeEach, expect, it } from "vitest";
import type { ShownActivity } from "../../../src/conversation/collaboration/activity.ts";
import { createOutbox } from "../../../src/conversation/display/outbox.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { createFakeHost, type FakeHost } from "../../support/fake-host.ts";

let host: FakeHost;
let notes: string[];
let isBusy: boolean;
const clock = createFakeClock();
const speaker = () => ({ agent: "gaia", model: null });

beforeEach(() => {
  host = createFakeHost();
  notes = [];
  isBusy = false;
  host.sessions.note = async (_id, _speaker, text) => {
    notes.push(text);
  };
});

const shown = (line: string, rest: Partial<ShownActivity> = {}): ShownActivity => ({
  line,
  inTranscript: true,
  isKept: false,
  toast: "info",
  ...rest,
});

const redact = (text: string): string => text.replaceAll("sk-1", "***");

it("the outbox writes no secret, whoever gave it", async () => {
  const outbox = createOutbox(host, clock, "root", speaker, () => isBusy, redact);
  outbox.activity(shown("✗ minerva: sk-1"));
  outbox.note("Why: sk-1");
  await outbox.flush();
  expect(notes).toEqual(["✗ minerva: ***\n\nWhy: ***"]);
});

it("the outbox toasts a burst at once and once more, not line by line", async () => {
  const outbox = createOutbox(host, clock, "root", speaker, () => isBusy, redact);
  for (let line = 1; line <= 10; line += 1) outbox.activity(shown(`line ${line}`));
  expect(host.toasts).toEqual(["line 1"]);
  await clock.advance(2_500);
  expect(host.toasts).toEqual(["line 1", "… 5 more\nline 7\nline 8\nline 9\nline 10"]);
  outbox.dispose();
  expect(clock.pending).toBe(0);
});

it("the outbox never toasts twice within a gap, and loses and counts no line twice", async () => {
  const gaps = [0, 1, 2_499, 1, 3_000, 10, 10, 10, 10, 10, 10, 2_500, 1];
  const toasts: [number, string][] = [];
  host.toast = async (_variant, text) => void toasts.push([clock.now(), text]);
  const outbox = createOutbox(host, clock, "root", speaker, () => isBusy, redact);
  for (const gap of gaps) {
    await clock.advance(gap);
    outbox.activity(shown("line"));
  }
  await clock.advance(10_000);
  const times = toasts.map(([at]) => at);
  expect(times.slice(1).every((at, index) => at - (times[index] ?? 0) >= 2_500)).toBe(true);
  const counts = toasts.map(([, text]) =>
    text.split("\n").reduce((sum, line) => sum + (line === "line" ? 1 : Number(line.split(" ")[1])), 0),
  );
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(gaps.length);
  outbox.dispose();
});

it("the outbox writes nothing into a turn that began while the text was made, but for a call that the turn waits for", async () => {
  const outbox = createOutbox(host, clock, "root", speaker, () => isBusy, redact);
  let make = (_text: string): void => undefined;
  const made = new Promise<string>((resolve) => {
    make = resolve;
  });
  outbox.note(async () => made);
  outbox.activity(shown("hephaestus started"));
  const flushed = outbox.flush();
  isBusy = true;
  make("Check-in");
  await flushed;
  expect(notes).toEqual([]);
  outbox.note("Why");
  await outbox.flushInCall();
  isBusy = false;
  await outbox.flush();
  expect(notes).toEqual(["Check-in\n\nhephaestus started\n\nWhy"]);
});

it("the outbox survives a note that cannot be written", async () => {
  host.sessions.note = async () => Promise.reject(new Error("gone"));
  const outbox = createOutbox(host, clock, "root", speaker, () => isBusy, redact);
  outbox.note("lost");
  await outbox.flush();
  host.sessions.note = async (_id, _speaker, text) => {
    notes.push(text);
  };
  outbox.note("kept");
  await outbox.flush();
  expect(notes).toEqual(["kept"]);
});
