/** Words that carry no meaning of their own in a comment. */
const EMPTY_WORDS = new Set(
  (
    "a an the of to in on for from with and or by into as at is are be been this that these those it its our we us " +
    "will here now all each every given current then some any up out do does using use used via if there"
  ).split(" "),
);

/** What a word of a comment looks like in code, beside an identifier of the same name. */
const WORD_IN_CODE = new Map(
  [
    ["increment increase bump", /\+\+|\+= ?1\b|\+ 1\b/],
    ["decrement decrease", /--|-= ?1\b|- 1\b/],
    ["loop iterate traverse through over", /\b(?:for|while|loop|foreach)\b|\.(?:forEach|map|each)\b/],
    ["check test whether verify", /\bif\b|\bassert/],
    [
      "create initialize initialise init define declare set assign make",
      /(?<![=!<>])=(?!=)|\bnew\b|\b(?:def|class|fn|func|function)\b/,
    ],
    ["store save", /(?<![=!<>])=(?!=)/],
    ["call invoke", /\w\(/],
    ["import include require dependency module", /\b(?:import|require|include|use|using)\b/],
    ["print output log", /\bconsole\.|\bprint|\blog|\becho\b/i],
    ["throw raise", /\b(?:throw|raise)\b/],
    ["array list", /\[/],
    ["empty", /\[\]|\{\}|""|''|\(\)/],
    ["add append sum", /\+|\.(?:push|append|add)\b/],
    ["remove delete", /\bdel\b|\bdelete\b|\.(?:pop|remove|splice)\b/],
  ].flatMap(([words, code]) =>
    String(words)
      .split(" ")
      .map((word) => [stem(word), code as RegExp] as const),
  ),
);
/** What instructions to the reader begin with. Without one, a comment is a heading, and headings may repeat names. */
const VERBS = new Set(
  (
    "increment increase bump decrement decrease return loop iterate check test verify create initialize initialise init " +
    "define declare set assign make store save call invoke run import include require print output log throw raise add " +
    "append sum remove delete wait await catch try close open get fetch load read write send update reset clear parse " +
    "validate convert format render show hide build start stop sort filter find search map merge join split copy move " +
    "rename resolve normalize normalise calculate compute count register listen emit push pop select insert export"
  )
    .split(" ")
    .map(stem),
);
/** Alone they already say what stands there: `// constructor`. */
const ENOUGH_ALONE = new Set(["constructor", "import", "return", "export", "getter", "setter"].map(stem));

/** Longer comments explain something, whatever their words are. */
const MAX_WORDS = 9;

/**
 * Whether a comment says nothing that its line of code does not say: it is an instruction, and every word with a
 * meaning is an identifier, a keyword or an operator there. Of five and more words, one in five may be a stranger.
 */
export function isRestating(comment: string, code: string): boolean {
  // Digits and code, also code that is commented out, are not prose.
  if (/[\d;={}<>()[\]]/.test(comment) || code.trim() === "") return false;
  const meaningful = wordsOf(comment).filter((word) => !EMPTY_WORDS.has(word));
  const words = [...new Set(meaningful.map(stem))];
  const [first = ""] = words;
  if (words.length > MAX_WORDS || !(VERBS.has(first) || ENOUGH_ALONE.has(first))) return false;
  const spoken = new Set(wordsOf(code).map(stem));
  const covered = words.filter((word) => spoken.has(word) || WORD_IN_CODE.get(word)?.test(code));
  if (words.length === 1) return covered.length === 1 && ENOUGH_ALONE.has(first);
  return covered.length === words.length || (words.length >= 5 && covered.length / words.length >= 0.8);
}

/** Lower-case words, with `camelCase` and `snake_case` taken apart. */
function wordsOf(text: string): string[] {
  const apart = text.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1 $2");
  return apart.toLowerCase().match(/[\p{L}]+/gu) ?? [];
}

/** Crude on purpose: it only has to bring `users`, `user` and `creating`, `create` together. */
function stem(word: string): string {
  const base = word.replace(/(?:ies|y)$/, "i").replace(/(?:ing|ed|es|s|e)$/, "");
  return base.length >= 2 ? base : word;
}
