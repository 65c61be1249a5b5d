import { composeExtras } from "../../src/composition/extras.ts";
import type { Extras } from "../../src/runtime.ts";
import { defaultConfig } from "../../src/config/defaults.ts";
import type { Conversation } from "../../src/conversation/conversation.ts";
import { createConversations, type Conversations } from "../../src/conversation/conversations.ts";
import type { ConversationServices } from "../../src/conversation/services.ts";
import { createBounds } from "../../src/delegation/bounds.ts";
import { createWorkStore } from "../../src/work-tree/work-store.ts";
import { createWorkWatch } from "../../src/work-tree/work-watch.ts";
import { createDelegationEngine } from "../../src/delegation/engine.ts";
import { createGaiaSessions } from "../../src/delegation/gaia-sessions.ts";
import { openRules, openSkills } from "../../src/context/open.ts";
import { createReviewerBriefs } from "../../src/plan/review/brief.ts";
import { createMemory } from "../../src/record/memory.ts";
import { createVcs } from "../../src/snapshot/vcs.ts";
import { createLedger } from "../../src/spending/ledger.ts";
import { createWorkspace } from "../../src/record/workspace.ts";
import { DEFAULTS } from "../conversation/collaboration/session.ts";
import { evidenceIn } from "./evidence.ts";
import { openEntries } from "./entries.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { createFakeHost, type FakeHost } from "./fake-host.ts";

/** What conversations share, over a host and a clock that a test steers. */
export interface TestServices extends ConversationServices {
  readonly host: FakeHost;
  readonly clock: FakeClock;
}

const NOWHERE = "/nowhere";
const refuse = async (): Promise<never> => Promise.reject(new Error("nothing can be written"));
const NOTHING_KNOWN: ConversationServices["knowledge"] = {
  all: async () => [],
  unread: async () => [],
  accepted: async () => [],
  propose: refuse,
  settle: refuse,
  doubt: () => undefined,
};

/** @param directory the project; by default there is none, and nothing can be written */
export function createTestServices(given: Partial<TestServices> = {}, directory = NOWHERE): TestServices {
  const host = given.host ?? createFakeHost();
  const clock = given.clock ?? createFakeClock();
  const entries = directory === NOWHERE ? NOTHING_KNOWN : openEntries(directory);
  const workspace = createWorkspace({ directory, clock, logger: host.logger, knowledge: entries });
  const workStore = createWorkStore(null, directory, host.logger);
  const redact = (text: string): string => text;
  const { capture, knowledge } = defaultConfig();
  const evidence = evidenceIn(directory, { clock, workspace });
  const engine =
    given.engine ??
    createDelegationEngine(host, clock, {
      queue: { background: 9, perProvider: {}, perModel: {} },
      watchdog: { stallMs: 1e6, toolStallMs: 1e6, totalMs: 1e7 },
    });
  const sessions = createGaiaSessions(host, "gaia");
  const ledger = createLedger({
    journal: { read: async () => [], append: async () => undefined },
    budgets: { perTask: {}, perUnit: {}, perDay: {} },
    clock,
    timeOfDay: clock,
    logger: host.logger,
    placeOf: () => null,
  });
  const services: TestServices = {
    host,
    place: { ...host, unit: null },
    treeOf: () => services,
    reviewerBriefs: createReviewerBriefs({
      vcs: given.vcs ?? createVcs("none", directory),
      isSensitive: () => false,
      redact,
    }),
    clock,
    engine,
    ledger,
    bounds: createBounds(engine, {
      spent: () => null,
      turnsInARow: DEFAULTS.autopilotSafeguards.maxTurnsInARow,
      stepsOf: () => undefined,
      budgetOf: () => null,
      speakerOf: (sessionId) => sessions.speaker(sessionId)?.agent ?? null,
    }),
    sessions,
    workspace,
    vcs: createVcs("none", directory),
    planEvidence: evidence.planEvidence,
    commitHooks: { program: async () => null, explain: async () => "" },
    workStore,
    workWatch: createWorkWatch({
      directory,
      vcs: given.vcs ?? createVcs("none", directory),
      clock,
      logger: host.logger,
      store: workStore,
    }),
    isSensitive: () => false,
    verifier: evidence.verifier,
    redact,
    seal: (text) => `sealed ${text.length}`,
    defaults: DEFAULTS,
    capture,
    learn: "ask",
    turnStallMs: 900_000,
    findings: { enabled: true, ask: false, autostart: [] },
    notify: { desktop: false },
    guards: { continuation: true },
    memory: createMemory({
      workspace,
      clock,
      logger: host.logger,
      redact,
      useLearnings: true,
      knowledge: entries,
      limits: knowledge,
    }),
    knowledge: entries,
    rules: openRules({ directory, clock, redact }, host),
    skills: openSkills({ configured: [], servers: false, clock, redact }, host),
    skillsOf: () => null,
    skillServers: { end: async () => undefined },
    projectTexts: async () => ({ files: [], accountFor: [], avoid: [] }),
    renderProjectContext: async () => "",
    openWorkplace: () => {
      throw new Error("no worktrees");
    },
    lanes: "off",
    roleOf: () => null,
    specialistOf: () => undefined,
    orchestrator: "gaia",
    ...given,
  };
  return services;
}

/** A conversation that its user has just begun with GAIA. */
export async function openConversation(
  services: TestServices,
  rootId = "root",
): Promise<{ conversations: Conversations; conversation: Conversation; extras: Extras }> {
  services.sessions.spoke(rootId, "gaia", null);
  const extras = composeExtras();
  const conversations = createConversations(services, extras.create);
  const found = await conversations.of(rootId);
  if (found === null) throw new Error(`${rootId} is not GAIA's`);
  const { conversation } = found;
  return { conversations, conversation, extras: extras.of(conversation) };
}
