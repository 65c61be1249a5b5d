import { titleOf } from "../../knowledge/entry.ts";
import { createError } from "../../lib/error.ts";
import { head, tail } from "../../lib/excerpt.ts";
import type { McpProject } from "./project.ts";

const MAX_LISTED = 500;
const MAX_TEXT = 100_000;
const DOCUMENTS = { plan: "plan_md", spec: "spec_md", log: "log_md", decisions: "decisions_md" } as const;
const FINDINGS = "gaia://findings";
const ADDRESS =
  /^gaia:\/\/(?:unit\/([a-z0-9-]{1,64})\/(plan|spec|log|decisions)|knowledge\/([a-z0-9._-]{1,64}))$/;

/** Findings, documents of open units and accepted knowledge, as addresses that {@link readMcpResource} takes. */
export async function listMcpResources({ workspace, knowledge }: McpProject) {
  const list = await workspace.listWorkUnits();
  const units = list.ok ? list.units : [];
  const documents = units.flatMap(({ slug, title }) =>
    (["plan", "log", "decisions"] as const).map((name) => ({
      uri: `gaia://unit/${slug}/${name}`,
      name: `${name} of ${title || slug}`,
      mimeType: "text/markdown",
    })),
  );
  const known = (await knowledge.accepted()).map((entry) => ({
    uri: `gaia://knowledge/${entry.id}`,
    name: titleOf(entry),
    mimeType: "text/markdown",
  }));
  const found = await workspace.readFindings();
  const isAny = found.ok && found.findings.length > 0;
  const findings = { uri: FINDINGS, name: "what reviewers and CI found", mimeType: "text/markdown" };
  return { resources: [...(isAny ? [findings] : []), ...documents, ...known].slice(0, MAX_LISTED) };
}

/** How addresses are built, those of documents that the list leaves out among them. */
export const MCP_RESOURCE_TEMPLATES = [
  {
    uriTemplate: "gaia://unit/{unit}/{document}",
    name: `a unit's ${Object.keys(DOCUMENTS).join(", ")}`,
    mimeType: "text/markdown",
  },
  { uriTemplate: "gaia://knowledge/{id}", name: "an accepted entry", mimeType: "text/markdown" },
];

/** The text behind an address. @throws GaiaError for one that leads nowhere */
export async function readMcpResource({ workspace, knowledge }: McpProject, uri: string): Promise<string> {
  const found = uri === FINDINGS ? await workspace.readDocument({ path: "findings.md" }) : null;
  if (found?.ok === true && found.text !== "") return head(found.text, MAX_TEXT);
  const [, slug, name, id] = ADDRESS.exec(uri) ?? [];
  if (id !== undefined) {
    const found = (await knowledge.accepted()).filter((entry) => entry.id === id);
    const entry = found.find(({ scope }) => scope === "project") ?? found[0];
    if (entry !== undefined) return entry.body;
  }
  const read = slug === undefined ? null : await workspace.readWorkUnit({ slug });
  if (read?.ok !== true) throw createError("mcp", "There is no such resource.", { hint: "List them." });
  const text = read.content[DOCUMENTS[name as keyof typeof DOCUMENTS]] ?? "";
  return name === "log" ? tail(text, MAX_TEXT) : head(text, MAX_TEXT);
}
