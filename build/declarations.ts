import { readFile, writeFile } from "node:fs/promises";
import ts from "typescript";

/**
 * Writes what an entry of the package declares, from its own text alone: each names the type of what it exports, so that
 * nothing behind it has to be understood.
 * @throws when it does not
 */
export async function writeDeclarations(source: string, target: string): Promise<void> {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(await readFile(source, "utf8"), {
    fileName: source,
    reportDiagnostics: true,
    compilerOptions: { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023 },
  });
  if (diagnostics.length > 0)
    throw new Error(
      diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")).join("\n"),
    );
  await writeFile(target, outputText);
}
