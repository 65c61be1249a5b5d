/** A small task with a test that its workers may not see, and ways to get it wrong. */
export interface Sample {
  readonly name: string;
  readonly right: string;
  /** What a mutant has in place of a part of what is right. */
  readonly mutations: readonly [readonly [from: string, to: string], readonly [from: string, to: string]];
  /** Calls with what they give. */
  readonly cases: readonly (readonly [call: string, result: string])[];
}

export const SAMPLES: readonly Sample[] = [
  {
    name: "clamp",
    right: "(value, low, high) => Math.min(high, Math.max(low, value))",
    mutations: [
      ["Math.max(low, value)", "value"],
      ["Math.min(high", "Math.min(low"],
    ],
    cases: [
      ["clamp(5, 0, 3)", "3"],
      ["clamp(-1, 0, 3)", "0"],
      ["clamp(2, 0, 3)", "2"],
    ],
  },
  {
    name: "median",
    right:
      "(list) => { const all = [...list].sort((a, b) => a - b); const at = all.length >> 1; return all.length % 2 ? all[at] : (all[at - 1] + all[at]) / 2; }",
    mutations: [
      ["(a, b) => a - b", ""],
      ["all.length % 2", "all.length"],
    ],
    cases: [
      ["median([10, 9, 1])", "9"],
      ["median([4, 1, 3, 2])", "2.5"],
    ],
  },
  {
    name: "leap",
    right: "(year) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)",
    mutations: [
      [" && (year % 100 !== 0 || year % 400 === 0)", ""],
      [" || year % 400 === 0", ""],
    ],
    cases: [
      ["leap(1900)", "false"],
      ["leap(2000)", "true"],
      ["leap(2024)", "true"],
    ],
  },
  {
    name: "roman",
    right:
      'n => [["X", 10], ["IX", 9], ["V", 5], ["IV", 4], ["I", 1]].reduce((text, [sign, of]) => { while (n >= of) { text += sign; n -= of; } return text; }, "")',
    mutations: [
      ['["IV", 4], ', ""],
      ["n >= of", "n > of"],
    ],
    cases: [
      ["roman(4)", '"IV"'],
      ["roman(10)", '"X"'],
      ["roman(19)", '"XIX"'],
    ],
  },
  {
    name: "chunk",
    right:
      "(list, size) => Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, at * size + size))",
    mutations: [
      ["Math.ceil", "Math.floor"],
      ["at * size + size", "at * size + 1"],
    ],
    cases: [["chunk([1, 2, 3], 2)", "[[1, 2], [3]]"]],
  },
  {
    name: "unique",
    right: "(list, by) => list.filter((one, at) => list.findIndex((other) => by(other) === by(one)) === at)",
    mutations: [
      ["findIndex", "findLastIndex"],
      ["by(other) === by(one)", "other === one"],
    ],
    cases: [['unique(["a", "B", "A"], (text) => text.toLowerCase())', '["a", "B"]']],
  },
  {
    name: "query",
    right: 'text => Object.fromEntries(new URLSearchParams(text.replace(/^\\?/, "")))',
    mutations: [
      ["new URLSearchParams(", "[].concat("],
      ['text.replace(/^\\?/, "")', '"x" + text'],
    ],
    cases: [['query("?a=1&b=%20")', '{ a: "1", b: " " }']],
  },
  {
    name: "title",
    right: "text => text.toLowerCase().replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase())",
    mutations: [
      [".toLowerCase()", ""],
      ["/g,", "/,"],
    ],
    cases: [['title("hELLO big-world")', '"Hello Big-World"']],
  },
  {
    name: "between",
    right: "(low, high, n) => n >= low && n < high",
    mutations: [
      ["n < high", "n <= high"],
      ["n >= low", "n > low"],
    ],
    cases: [
      ["between(1, 3, 1)", "true"],
      ["between(1, 3, 3)", "false"],
    ],
  },
  {
    name: "group",
    right:
      "(list, by) => list.reduce((groups, one) => ({ ...groups, [by(one)]: [...(groups[by(one)] ?? []), one] }), {})",
    mutations: [
      ["...groups, ", ""],
      ["...(groups[by(one)] ?? []), ", ""],
    ],
    cases: [["group([1, 2, 3], (n) => n % 2)", "{ 1: [1, 3], 0: [2] }"]],
  },
];
