import { readdir, readFile } from "node:fs/promises";

/** Of esbuild's metafile: what went into each output. */
export interface Bundled {
  readonly outputs: Readonly<Record<string, { inputs: Record<string, { bytesInOutput: number }> }>>;
}

/** The licence of every package of which something is bundled. @throws when one ships no licence text */
export async function renderLicenses(bundles: readonly Bundled[]): Promise<string> {
  const files = bundles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ inputs }) => Object.entries(inputs))
    .flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : []));
  const folders = files.flatMap(
    (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file.replaceAll("\\", "/"))?.[0] ?? [],
  );
  const packages = await Promise.all([...new Set(folders)].toSorted().map(readLicense));
  const terms = new Map<string, { text: string; holders: string[] }>();
  for (const { text, holder } of packages) {
    // The same words in other lines are the same terms, and are said once.
    const key = text.replaceAll(/\s+/g, " ");
    const known = terms.get(key) ?? { text, holders: [] };
    terms.set(key, { ...known, holders: [...known.holders, holder] });
  }
  const sections = [...terms.values()].map(({ text, holders }) => `${holders.join("\n")}\n\n${text}\n`);
  return `Code of these packages is bundled into opencode-gaia.\n\n${sections.join(`\n${"=".repeat(80)}\n`)}`;
}

/** The terms of a package, and whose they are: its name and every line of copyright. */
async function readLicense(folder: string): Promise<{ readonly text: string; readonly holder: string }> {
  const { name, version, license } = JSON.parse(await readFile(`${folder}/package.json`, "utf8")) as Record<
    string,
    string
  >;
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} is bundled and ships no licence text.`);
  const lines = (await readFile(`${folder}/${file}`, "utf8")).trim().split("\n");
  const isOfHolder = (line: string): boolean => /^\W*copyright (?:\(c\)|©|\d)/i.test(line);
  const isTitle = (line: string): boolean => /^\W*(?:the )?mit licen[cs]e/i.test(line);
  const notices = lines.filter(isOfHolder).map((line) => `  ${line.trim()}`);
  const text = lines
    .filter((line) => !isOfHolder(line) && !isTitle(line))
    .join("\n")
    .trim();
  return { text, holder: [`${name} ${version} (${license})`, ...notices].join("\n") };
}
