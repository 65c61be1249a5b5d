import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanComments } from "../../../../src/conversation/advice/comment-check/scan.ts";
import { type CommentSyntax, syntaxOf } from "../../../../src/conversation/advice/comment-check/syntax.ts";

function syntax(extension: string): CommentSyntax {
  const found = syntaxOf(`file.${extension}`);
  if (!found) throw new Error(`no syntax for ${extension}`);
  return found;
}

function comments(extension: string, text: string): string[] {
  return scanComments(text, syntax(extension)).comments.map((comment) => `${comment.line}:${comment.text}`);
}

describe("scanComments", () => {
  it.each([
    ["ts", "a(); // one\n/* two\n * three */ b();\n// four", ["1:one", "2:two three", "4:four"]],
    ["ts", "const url = 'http://x'; // real", ["1:real"]],
    ["ts", "a = `x ${ b({ c: `//` }) } // no`; // yes", ["1:yes"]],
    ["ts", "a = b / c; // one\nd = e / f; // two", ["1:one", "2:two"]],
    ["ts", "it's broken\n// found again", ["2:found again"]],
    ["rs", "fn a<'b>(c: &'b str) { '\"' } // real", ["1:real"]],
    ["py", 'a = \'#no\' # yes\nb = """\n# no\n"""\n# end', ["1:yes", "5:end"]],
    ["sh", "a=${b#c} # yes\necho '# no' \"# no\"\ncat <<-'X'\n# no\n\tX\n# end", ["1:yes", "6:end"]],
    ["yaml", "a: 'it''s # no' # yes\nb: >-\n  # no\n\n  # no\nc: 1 # end", ["1:yes", "6:end"]],
    ["sql", "select '--no', 'it''s --no' -- yes", ["1:yes"]],
    ["lua", "a = [[\n-- no]] -- yes\n--[[ two\nlines ]] b", ["2:yes", "3:two lines"]],
    ["go", "a := `// no \\` // yes", ["1:yes"]],
    ["vue", "<!-- yes --><p>// no # no</p>", ["1:yes"]],
    ["css", "a { b: url(//no) } /* yes */", ["1:yes"]],
  ])("%s: %j", (extension, text, expected) => {
    expect(comments(extension, text)).toEqual(expected);
  });

  it("keeps every line and never throws, whatever the text", () => {
    const pieces = [
      "'",
      '"',
      "`",
      "/",
      "*",
      "//",
      "/*",
      "*/",
      "#",
      "--",
      "[[",
      "]]",
      "\n",
      "\\",
      "${",
      "}",
      "|",
      " ",
      "a",
    ];
    const text = fc
      .array(fc.constantFrom(...pieces, "<<E", "<!--", 'r#"'), { maxLength: 60 })
      .map((all) => all.join(""));
    const languages = ["ts", "java", "c", "go", "rs", "py", "rb", "sh", "yml", "sql", "lua", "css", "html"];
    fc.assert(
      fc.property(fc.constantFrom(...languages), text, (extension, source) => {
        const scanned = scanComments(source, syntax(extension));
        expect(scanned.codeLines).toHaveLength(source.split("\n").length);
        for (const { line } of scanned.comments) expect(line).toBeLessThanOrEqual(scanned.codeLines.length);
      }),
      { numRuns: 500 },
    );
  });
});
