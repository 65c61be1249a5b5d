import { stripVTControlCharacters } from "node:util";
import { listed, counted } from "../../lib/figures.ts";
import { excerpt } from "../../lib/text.ts";
import type { Batch, CommandFact, FileDelta } from "./batch.ts";
import { type ReviewDepth, valuesOf } from "../../config/knobs.ts";
import type { Pace } from "./knobs.ts";
import { agentName } from "../../agents/registry.ts";

/** Of work that waits for the user; work that goes on gets a line in passing. */
const SHOWN_FILES = 15;
const SHOWN_IN_PASSING = 5;
const SHOWN_COMMANDS = 6;
const SHOWN_RISKY = 4;
const SHOWN_OUTPUT_LINES = 5;
const MAX_LINE = 160;
const MAX_REPORT = 320;
const MAX_FOR_MODEL = 600;
const BLOCKED_ORDERS =
  "Changes are refused until the user answers. Tell the user the reason and the next step, then end your turn.";
const MAX_BLOCKED = MAX_FOR_MODEL - BLOCKED_ORDERS.length - 10;

/** What the user is told at a check-in (SPEC 8): measured facts, and the agent's words for why, risk and next step. */
export interface CheckinPacket {
  readonly reason: Pace | "wave" | "budget" | "milestone" | "blocked";
  /** For a budget which one and how far, for blocked work why and what next. */
  readonly detail: string;
  readonly pausing: boolean;
  readonly batch: Batch;
  readonly reviewDepth: ReviewDepth;
  readonly reviews: readonly string[];
}

/**
 * Plain text for the transcript: the host shows a user's message as it stands. Short where work goes on.
 * @param planned the plan's next open task, for a batch whose agents name no next step
 */
export function renderPacketForUser(
  packet: CheckinPacket,
  planned = "",
  changed: ReadonlyMap<string, readonly string[]> = new Map(),
): string {
  const { batch, pausing, reason, detail, reviews } = packet;
  const { rationale, risk, nextStep } = batch.report;
  const most = pausing ? SHOWN_FILES : SHOWN_IN_PASSING;
  const told = pausing ? batch.commands : batch.commands.filter(failed);
  const [checks = "", ...lines] = batch.checked;
  const stands = [checks && `Checks: ${line(checks)}`, batch.evidence && `Evidence: ${batch.evidence}`];
  const proof = [stands.filter(Boolean).join(" · "), ...lines].filter(Boolean);
  return [
    `Check-in (${reason}): ${detail ? `${detail} · ` : ""}${summarise(batch)}`,
    ...batch.files
      .slice(0, most)
      .flatMap((file) => [
        `- ${line(file.path)} ${delta(file)}`,
        ...(pausing ? (changed.get(file.path) ?? []) : []),
      ]),
    ...more(batch.files.length - most + batch.omittedFiles, "more"),
    ...(pausing ? more(told.length - SHOWN_COMMANDS + batch.omittedCommands, "earlier commands") : []),
    ...told.slice(-SHOWN_COMMANDS).flatMap(renderCommand),
    ...proof.map((text, at) => (at === 0 ? text : `- ${line(text)}`)),
    ...reviews.flatMap((review) => field("Review", review)),
    ...(pausing ? field("Why", rationale) : []),
    ...field("Risk", risk),
    // Of blocked work the first line says it.
    ...(reason === "blocked" ? [] : field("Next", nextStep || planned)),
    ...renderRisky(packet),
    ...(pausing ? [suggest(packet)] : []),
  ].join("\n");
}

/** What the model needs of the packet, at most 600 characters: it must not retell what the user has seen. */
export function renderPacketForModel(packet: CheckinPacket, isShown = true): string {
  if (packet.reason === "blocked") return `BLOCKED: ${excerpt(packet.detail, MAX_BLOCKED)} ${BLOCKED_ORDERS}`;
  const deeper =
    renderRisky(packet).length === 0
      ? ""
      : ` It touches risky files: suggest a deeper review (${deeperThan(packet.reviewDepth)}).`;
  const { pausing } = packet;
  const [pause, pass] = isShown
    ? ["one short line that asks for /next or feedback; do not repeat the packet", "do not repeat it"]
    : ["this in short, for the user may not see it, and ask for /next or feedback", "say it in your answer"];
  const orders = pausing
    ? `A check-in waits for the user. End your turn now with ${pause}, start nothing.`
    : `The user ${isShown ? "has" : "may not see"} the check-in packet; ${pass}, go on.`;
  const facts = [
    summarise(packet.batch),
    ...packet.batch.files.map((file) => `${file.path} ${delta(file)}`),
    ...packet.batch.commands.filter(failed).map((ran) => `${excerpt(ran.command, 60)} ${ended(ran)}`),
  ].join("; ");
  const head = `Check-in (${packet.reason}). `;
  const room = MAX_FOR_MODEL - head.length - orders.length - deeper.length - 2;
  return `${head}${excerpt(facts, room)}. ${orders}${deeper}`;
}

function summarise({ files, commands, added, removed, omittedCommands, unseen }: Batch): string {
  const ran = commands.length + omittedCommands;
  const blind =
    unseen === 0 ? "" : `; what ${unseen} of them changed is not known, the project could not be looked at`;
  return `${counted(files.length, "file")} (+${added} −${removed}), ${counted(ran, "command")}${blind}`;
}

function renderCommand(ran: CommandFact): string[] {
  if (!failed(ran)) return [`- $ ${line(ran.command)} ${ended(ran)}`];
  const output = stripVTControlCharacters(ran.output)
    .split(/\r?\n/)
    .map((text) => text.trim())
    .filter((text) => text !== "");
  const shown = output.slice(-SHOWN_OUTPUT_LINES).map((text) => `    ${line(text)}`);
  return [`- $ ${line(ran.command)} ${ended(ran)}`, ...shown];
}

/** Files in which a mistake costs most, where a deeper review than the one that was set would look at them. */
function renderRisky({ batch, reviewDepth }: CheckinPacket): string[] {
  const risky = batch.files.filter(({ risk }) => risk !== undefined);
  const deeper = deeperThan(reviewDepth);
  if (risky.length === 0 || deeper === reviewDepth) return [];
  const named = risky.map(({ path, risk = "" }) => `${line(path)} (${line(risk)})`);
  return [`Risky: ${listed(named, SHOWN_RISKY)}; "review this deeper (${deeper})" is advised`];
}

function suggest({ reviewDepth }: CheckinPacket): string {
  const deeper = deeperThan(reviewDepth);
  const review = deeper === reviewDepth ? "review this deeper" : `review this deeper (${deeper})`;
  return `/next goes on · "undo last" · "${review}" · or say what to change`;
}

function field(name: string, text: string): string[] {
  return text === "" ? [] : [`${name}: ${excerpt(text, MAX_REPORT)}`];
}

function more(count: number, what: string): string[] {
  return count > 0 ? [`- … ${count} ${what}`] : [];
}

function delta({ added, removed, note }: FileDelta): string {
  return `+${added} −${removed}${note === undefined ? "" : ` (${line(note)})`}`;
}

function failed({ exitCode }: CommandFact): boolean {
  return exitCode !== null && exitCode !== 0;
}

function ended({ exitCode }: CommandFact): string {
  return exitCode === null ? "(no exit code)" : `→ exit ${exitCode}`;
}

function line(text: string): string {
  return excerpt(text, MAX_LINE);
}

const DEEPER = "review this deeper";

/** What the user wants at a check-in. Only the phrases that the packet shows are recognised; all else is a remark for GAIA to read. */
export function readFeedback(text: string): "next" | "undo" | "deeper" | "remark" {
  const plain = text.replaceAll('"', "").trim().toLowerCase();
  if (plain === "/next") return "next";
  if (plain === "undo last" || plain === "undo") return "undo";
  return plain === DEEPER || (plain.startsWith(`${DEEPER} (`) && plain.endsWith(")")) ? "deeper" : "remark";
}

export function deeperThan(depth: ReviewDepth): ReviewDepth {
  const depths = valuesOf("reviewDepth");
  return depths[depths.indexOf(depth) + 1] ?? depth;
}

/** What GAIA is told with the user's wish for a deeper review of this batch. */
export function askDeeper(batch: Batch, depth: ReviewDepth): string {
  const files =
    excerpt(batch.files.map((file) => file.path).join(", "), 240) || "what the last check-in showed";
  return `The user wants a deeper review before work continues. Delegate it to ${agentName("reviewer")} and ${agentName("checker")} in parallel at depth ${depth}: ${files}. Change nothing meanwhile, report, then end your turn.`;
}
