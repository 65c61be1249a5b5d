import { CheckVisitor } from "./checks/check-visitor.ts";
import { isLauncher } from "./checks/launchers.ts";
import type { ProjectFiles } from "./checks/outputs.ts";
import { about, whyNoCheck, writes } from "./checks/verdict.ts";
import { commandOf } from "./checks/words.ts";
import { EffectVisitor } from "./command-effect.ts";
import { MAX_SCANNED } from "./danger/danger.ts";
import type { DangerPattern } from "./danger/patterns.ts";
import { type Examination, NOTHING_FURTHER } from "./examination.ts";
import { HistoryVisitor } from "./history/history-visitor.ts";
import { createPlaces } from "./places.ts";
import { ProtectedVisitor, type ProtectionContext } from "./protected-visitor.ts";
import { renderReplaced, secretsAmong } from "./replaced-secrets.ts";
import { type SecretContext, SecretVisitor } from "./secret-visitor.ts";
import { StagingVisitor } from "./staging.ts";
import { walkSource } from "./shell/source.ts";
import type { Visitor } from "./shell/walk-state.ts";
import { findUnlisted } from "./unlisted.ts";

/** What the examination of a command depends on besides the command. */
export interface CommandContext extends SecretContext, ProtectionContext, ProjectFiles {
  /** The absolute path of the folder it runs in; without it, relative paths are taken to lie inside a project. */
  readonly folder?: string;
  /** The absolute path of the project. */
  readonly project?: string;
  /** Whether a folder is there now. */
  readonly isFolder?: (path: string) => boolean;
  /** Commands of the user's own that no mode allows. */
  readonly dangerous?: readonly DangerPattern[];
  /** Commands of the user's own that change the project and no more, whatever is known of them. */
  readonly allow?: readonly DangerPattern[];
  /** Commands of the project's Definition of Done, which are its checks to the letter. */
  readonly checks?: readonly string[];
}

/** What is too long to be searched may hide anything. */
const TOO_LONG: Examination = {
  effect: "forbidden",
  reason: "is longer than 64 KB, too long to be searched: write long texts with a tool for files",
  ...NOTHING_FURTHER,
};

/**
 * Examines a bash command line without running it (SPEC 9), with one parse and one walk: it reads only when every
 * program, option, redirection and expansion in it is known to; forbidden when something in it is allowed in no mode.
 *
 * Never throws, and takes time in proportion to the length of the command: one longer than 16 KB, one that does not
 * parse and one that is nested too deeply is unknown, after a search for what is plainly dangerous; one longer than 64 KB
 * is too long to be searched, and forbidden.
 */
export function examineCommand(command: string, context: CommandContext = {}): Examination {
  if (command.length > MAX_SCANNED) return TOO_LONG;
  const { folder, dangerous = [], allow = [], checks = [] } = context;
  const checked = new CheckVisitor(context);
  const effects = new EffectVisitor(dangerous, allow, checked);
  const secrets = new SecretVisitor(context);
  const protects = new ProtectedVisitor(context);
  const history = new HistoryVisitor();
  const staging = new StagingVisitor();
  const inFile: Visitor = {
    onEffect(finding, node, cause) {
      effects.onEffect(finding, node);
      history.onEffect(finding, cause);
    },
    onUnfollowed(reason, node) {
      effects.onUnfollowed(reason, node);
      history.onUnfollowed(reason);
    },
    onDanger: (reason, node) => effects.onDanger(reason, node),
    onInvocation(invocation) {
      secrets.onInvocation(invocation);
      staging.onInvocation(invocation);
      const finding = effects.onInvocation(invocation);
      const [secret] = secretsAmong(finding?.replaces ?? []);
      if (secret !== undefined)
        checked.add(about(writes(renderReplaced(secret)), commandOf(invocation.argv)));
      protects.onInvocation(invocation, finding);
      history.onInvocation(invocation, finding);
      return finding;
    },
    onOutput(file, walk) {
      protects.onOutput(file, walk);
      history.onOutput(file, walk);
    },
    onInput(file, walk, node) {
      secrets.onInput(file, walk);
      effects.onInput(file, walk, node);
    },
  };
  const visitor: Visitor = {
    ...inFile,
    inFile,
    onEffect(finding, node, cause) {
      checked.onEffect(finding, node, cause);
      inFile.onEffect(finding, node, cause);
    },
    onUnfollowed(reason, node) {
      checked.onUnfollowed();
      inFile.onUnfollowed(reason, node);
    },
    onInvocation(invocation) {
      // What a launcher starts is part of what it is judged by.
      const { walk } = invocation;
      const at = isLauncher(invocation.argv) ? { ...walk, visitor: inFile } : walk;
      const finding = inFile.onInvocation({ ...invocation, walk: at });
      if (finding !== undefined) checked.add(finding.check);
      return finding;
    },
    onOutput(file, walk) {
      checked.onOutput(file, walk);
      inFile.onOutput?.(file, walk);
    },
  };
  const script = walkSource(command, visitor, folder, { ...context, placeOf: createPlaces(context) });
  if (script !== undefined) secrets.script(script, command);
  if (effects.isUnfollowed) {
    secrets.words(command);
    protects.words(command);
  }
  const finding = protects.weigh(effects.conclude(command));
  const { verdict } = checked;
  const isCheck =
    finding.effect !== "forbidden" && (verdict.kind === "check" || checks.includes(command.trim()));
  return {
    ...finding,
    effect: isCheck && finding.effect !== "read" ? "project" : finding.effect,
    staging: staging.calls,
    secret: secrets.found,
    protectedTarget: protects.found,
    history: history.conclude(command),
    isCheck,
    noCheck: isCheck ? null : whyNoCheck(verdict),
    unlisted: script === undefined ? command : findUnlisted(script, command),
  };
}
