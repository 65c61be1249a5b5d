/** What reading a sed script ends with: `malformed` is what sed itself rejects, `unsafe` what it might run or write. */
type Outcome = "safe" | "malformed" | { readonly unsafe: string };

/** Reads a sed script far enough to know every command in it. */
class ScriptReader {
  #at = 0;
  /** Up to here no bracket is closed. */
  #unclosed = 0;
  readonly #script: string;
  readonly #brackets: boolean;

  /** @param brackets a delimiter inside `[…]` is an ordinary character, as POSIX has it */
  constructor(script: string, brackets: boolean) {
    this.#script = script;
    this.#brackets = brackets;
  }

  read(): Outcome {
    for (;;) {
      this.#skip(/[\s;{}]/u);
      if (this.#at >= this.#script.length) return "safe";
      if (!this.#addresses()) return "malformed";
      const outcome = this.#command();
      if (outcome !== "safe") return outcome;
    }
  }

  get #char(): string {
    return this.#script.charAt(this.#at);
  }

  #skip(pattern: RegExp): void {
    while (this.#at < this.#script.length && pattern.test(this.#char)) this.#at++;
  }

  #addresses(): boolean {
    if (!this.#address()) return false;
    this.#skip(/\s/u);
    if (this.#char === ",") {
      this.#at++;
      this.#skip(/[\s+~]/u);
      if (!this.#address()) return false;
    }
    this.#skip(/[\s!]/u);
    return true;
  }

  #address(): boolean {
    const char = this.#char;
    if (char === "$") this.#at++;
    else if (/\d/u.test(char)) this.#skip(/[\d~]/u);
    else if (char === "/" || char === "\\") {
      if (char === "\\") this.#at++;
      if (!this.#section(this.#char, true)) return false;
      this.#skip(/[IM]/u);
    }
    return true;
  }

  /** Passes from one delimiter to behind the next; false when there is none. */
  #section(delimiter: string, expression: boolean): boolean {
    if (delimiter === "" || delimiter === "\n" || delimiter === "\\") return false;
    for (this.#at++; this.#at < this.#script.length; this.#at++) {
      const char = this.#char;
      if (char === "\\") this.#at++;
      else if (char === delimiter) {
        this.#at++;
        return true;
      } else if (expression && char === "[" && this.#brackets) this.#bracket();
      else if (expression && char === "\n") return false;
    }
    return false;
  }

  /** Passes over a bracket expression, leaving the place on its last character; stays where there is no such. */
  #bracket(): void {
    if (this.#at < this.#unclosed) return;
    const script = this.#script;
    let at = this.#at + 1;
    if (script[at] === "^") at++;
    if (script[at] === "]") at++;
    // What ends a class such as `[:alpha:]`, and all of it where nothing else does.
    let otherwise = -1;
    for (; at < script.length && script[at] !== "\n"; at++) {
      if (script[at] === "]") return void (this.#at = at);
      const end =
        script[at] === "[" && /[:.=]/u.test(script.charAt(at + 1)) ? script.indexOf("]", at + 2) : -1;
      if (end > at + 2 && /[:.=]/u.test(script.charAt(end - 1))) at = otherwise = end;
    }
    if (otherwise === -1) this.#unclosed = at;
    else this.#at = otherwise;
  }

  #command(): Outcome {
    const name = this.#char;
    this.#at++;
    switch (name) {
      case "s":
        return this.#substitute();
      case "y":
        return this.#section(this.#char, false) && this.#again(false) ? this.#end() : "malformed";
      case "a":
      case "i":
      case "c":
        return this.#text();
      case "b":
      case "t":
      case "T":
      case ":":
        this.#skip(/[ \t]/u);
        this.#skip(/[\w.-]/u);
        return this.#end();
      case "r":
      case "R":
        return this.#line();
      case "q":
      case "Q":
      case "l":
      case "L":
        this.#skip(/[ \t\d]/u);
        return this.#end();
      case "#":
        return this.#line();
      case "{":
      case "}":
        return "safe";
      case "w":
      case "W":
        return { unsafe: "sed writes to a file here" };
      case "e":
        return { unsafe: "sed runs a command here" };
      default:
        return /^[=dDgGhHnNpPxzF]$/u.test(name)
          ? this.#end()
          : { unsafe: `sed command ${name} is not known` };
    }
  }

  /** The second section of `s` and `y` shares its delimiter with the first. */
  #again(expression: boolean): boolean {
    this.#at--;
    return this.#section(this.#char, expression);
  }

  #substitute(): Outcome {
    if (!this.#section(this.#char, true) || !this.#again(false)) return "malformed";
    const flags = /^[gpiImM\d]*/u.exec(this.#script.slice(this.#at))?.[0] ?? "";
    this.#at += flags.length;
    if (this.#char === "w") return { unsafe: "sed writes to a file here" };
    if (this.#char === "e") return { unsafe: "sed runs a command here" };
    return this.#end();
  }

  #line(): Outcome {
    while (this.#at < this.#script.length && this.#char !== "\n") this.#at++;
    return "safe";
  }

  #text(): Outcome {
    for (; this.#at < this.#script.length; this.#at++) {
      if (this.#char === "\\") this.#at++;
      else if (this.#char === "\n") return "safe";
    }
    return "safe";
  }

  #end(): Outcome {
    this.#skip(/[ \t]/u);
    return this.#at >= this.#script.length || /[;\n}#]/u.test(this.#char) ? "safe" : "malformed";
  }
}

/**
 * Why a sed script may write or run something, undefined when it only edits the stream.
 * Implementations disagree on brackets, so the script has to be harmless in either reading.
 */
export function sedScriptProblem(script: string): string | undefined {
  const outcomes = [true, false].map((brackets) => new ScriptReader(script, brackets).read());
  for (const outcome of outcomes) if (typeof outcome === "object") return outcome.unsafe;
  return outcomes.includes("safe") ? undefined : "the sed script cannot be read";
}
