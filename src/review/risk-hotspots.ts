import type { DiffFile } from "../vcs/unified-diff.ts";

/** Where a mistake costs most: who may do what, what is stored, what runs it, and how stored things change shape. */
type RiskKind = "auth" | "data" | "infra" | "migration" | "secrets" | "money" | "dependencies";

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
}

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
  for (const rule of RULES) {
    const found = rule.content && changed.filter((line) => rule.content?.test(line.text.slice(0, 500)));
    if (!rule.path?.test(file.path) && !found?.length) continue;
    kinds.push(rule.kind);
    evidence.push(...(found ?? []).map((line) => `${line.line}: ${line.text.trim().slice(0, 100)}`));
  }
  return { path: file.path, kinds, evidence: [...new Set(evidence)].slice(0, MAX_EVIDENCE) };
}
