import { TEST_PATH } from "../lib/test-path.ts";
import type { DiffFile } from "../vcs/unified-diff.ts";

/**
 * Where a mistake costs most: who may do what, what is stored, what runs it, how stored things change shape, and what tests
 * asked for that they ask for no more.
 */
type RiskKind = "auth" | "data" | "infra" | "migration" | "secrets" | "money" | "dependencies" | "tests";

/** A changed file that deserves a second look, and what in it says so. */
export interface RiskHotspot {
  path: string;
  kinds: RiskKind[];
  /** Up to three changed lines, as `line: text`. */
  evidence: string[];
}

interface RiskRule {
  kind: RiskKind;
  path?: RegExp;
  /** Tested on added and removed lines. */
  content?: RegExp;
  /** Tested on removed lines that do not stand elsewhere in the file now; only in files of this path. */
  lost?: RegExp;
}

/** A test, or what it holds to be true. */
const ASKS =
  /\b(?:expect\w*|assert\w*|xctassert\w*|require(?=\.)|it|tests?|describe|specify|context|scenario)(?:\.\w+)*!?\s*[({"'`]|^\s*assert\b|\bt\.(?:error|fatal|fail|run)\w*\(|\b(?:def|func|fn|sub|function)\s+(?:\([^)]*\)\s*)?test|@\w*test\b|#\[\w*test|\[(?:fact|theory|test\w*)\]|\.should\b/iu;

const RULES: readonly RiskRule[] = [
  {
    kind: "auth",
    path: /(^|[/._-])(auth\w*|login|logout|session|oauth\w*|sso|jwt|permissions?|acl|rbac|polic(y|ies)|middleware)([/._-]|$)/i,
    content:
      /\b(jwt|bearer|passwords?|bcrypt|argon2|csrf|cors|setcookie|set-cookie|isadmin|is_admin|authori[sz]\w*|authenticat\w*|verify_?signature)\b/i,
  },
  {
    kind: "data",
    path: /(^|[/._-])(models?|schemas?|entit(y|ies)|repositor(y|ies)|dao|prisma|db|database|storage|cache)([/._-]|$)|\.(sql|prisma)$/i,
    content:
      /\b(delete\s+from|drop\s+(table|column|index|database)|truncate\s+table|update\s+\w+\s+set|insert\s+into|alter\s+table|transaction|rm\s+-r\w*|unlink\w*|rmtree|deletemany|on\s+delete\s+cascade)\b/i,
  },
  {
    kind: "infra",
    path: /(^|\/)(dockerfile[^/]*|docker-compose[^/]*|compose\.ya?ml|\.github\/|\.gitlab-ci|jenkinsfile|terraform\/|k8s\/|kubernetes\/|helm\/|ansible\/|deploy\w*\/|nginx[^/]*|infra\/|ci\/)|\.(tf|tfvars|hcl|nix)$/i,
  },
  {
    kind: "migration",
    path: /(^|[/._-])(migrations?|migrate|alembic|flyway|liquibase|changelogs?\.sql)([/._-]|$)/i,
  },
  {
    kind: "secrets",
    path: /(^|\/)\.env|(^|[/._-])(secrets?|credentials?|vault|keys?)([/._-]|$)|\.(pem|key|p12|pfx)$/i,
    content: /\b(api_?keys?|secret_?keys?|private_?keys?|access_?tokens?|client_?secrets?)\b/i,
  },
  { kind: "money", path: /(^|[/._-])(payments?|billing|invoices?|checkout|pricing)([/._-]|$)/i },
  {
    kind: "dependencies",
    path: /(^|\/)(package\.json|pyproject\.toml|requirements[^/]*\.txt|go\.mod|cargo\.toml|gemfile|pom\.xml|build\.gradle(\.kts)?|composer\.json)$/i,
  },
  { kind: "tests", path: TEST_PATH, lost: ASKS },
];
const MAX_EVIDENCE = 3;

/** Finds the hotspots of a diff by path and by changed lines, those with the most kinds of risk first. */
export function findRiskHotspots(files: readonly DiffFile[]): RiskHotspot[] {
  return files
    .map(hotspotOf)
    .filter((hotspot) => hotspot.kinds.length > 0)
    .toSorted((a, b) => b.kinds.length - a.kinds.length || (a.path < b.path ? -1 : 1));
}

function hotspotOf(file: DiffFile): RiskHotspot {
  const changed = file.hunks.flatMap((hunk) => hunk.lines).filter((line) => line.kind !== "context");
  const kinds: RiskKind[] = [];
  const evidence: string[] = [];
  const now = new Set(changed.flatMap(({ kind, text }) => (kind === "added" ? [text.trim()] : [])));
  const gone = changed.filter(({ kind, text }) => kind === "removed" && !now.has(text.trim()));
  for (const { kind, path, content, lost } of RULES) {
    const isThere = path?.test(file.path) === true;
    const searched = lost === undefined ? changed : isThere ? gone : [];
    const found = searched.filter((line) => (content ?? lost)?.test(line.text.slice(0, 500)));
    if (found.length === 0 && (!isThere || lost !== undefined)) continue;
    kinds.push(kind);
    const mark = lost === undefined ? "" : "gone: ";
    evidence.push(...found.map(({ line, text }) => `${line}: ${mark}${text.trim().slice(0, 100)}`));
  }
  return { path: file.path, kinds, evidence: [...new Set(evidence)].slice(0, MAX_EVIDENCE) };
}
