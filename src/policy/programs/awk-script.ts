/** Names after which a slash begins a regular expression although a name stands before it. */
const BEFORE_REGEX = /^(?:print|printf|return|in|else|do|case|delete|getline|BEGIN|END|exit)$/u;
/** Files that only stand for the program's own output, where nothing is joined to the name. */
const OWN_OUTPUT = />>?[ \t]*"\/dev\/(?:stdout|stderr|null)"(?=[ \t]*(?:[;}\n]|$))/uy;
/** A pipe into a command that is spelled out to its end. */
const INTO_COMMAND = /\|[ \t]*"([^"\\\n]*)"(?=[ \t]*(?:[;}\n]|$))/uy;
/** What `getline` may be followed by: nothing, or a named file that is no connection and no device. */
const FROM_FILE =
  /[ \t]*(?:[A-Za-z_]\w*)?[ \t]*(?:<[ \t]*"(?!\/inet|\/dev)[^"\\\n]*"(?=[ \t]*[);}\n])|(?=[);}\n]|$))/uy;
/** A complete bracket expression, except those that begin with their own end. */
const BRACKET = /\[(?:\^[^\]]+|[^\]^][^\]]*)\]/gu;

interface Paren {
  /** It belongs to `if`, `while` or `for`, so that what follows it is a statement. */
  readonly statement: boolean;
}

/** Reads an awk program token by token, far enough to see every output redirection, pipe and call. */
class ProgramReader {
  #at = 0;
  /** The last token: an operand after which a slash divides, or anything else. */
  #afterOperand = false;
  #afterStatementParen = false;
  #lastName = "";
  #printDepth: number | undefined;
  readonly #parens: Paren[] = [];
  readonly #program: string;
  readonly #run: (command: string) => void;

  constructor(program: string, run: (command: string) => void) {
    this.#program = program;
    this.#run = run;
  }

  read(): string | undefined {
    while (this.#at < this.#program.length) {
      const problem = this.#token();
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const text = pattern.exec(this.#program)?.[0];
    if (text !== undefined) this.#at += text.length;
    return text;
  }

  #token(): string | undefined {
    if (this.#take(/[ \t]+|\\\n/uy) !== undefined) return undefined;
    if (this.#take(/#[^\n]*/uy) !== undefined) return undefined;
    const name = this.#take(/[A-Za-z_]\w*/uy);
    if (name !== undefined) return this.#name(name);
    if (this.#take(/\d+(?:\.\d*)?(?:e[-+]?\d+)?|\.\d+/iuy) !== undefined) return this.#operand();
    const char = this.#program.charAt(this.#at);
    if (char === '"')
      return this.#take(/"(?:[^"\\\n]|\\[^])*"/uy) === undefined
        ? "the awk program has an open string"
        : this.#operand();
    if (char === "/") return this.#slash();
    return this.#punctuation(char);
  }

  #operand(): undefined {
    this.#afterOperand = true;
    this.#lastName = "";
  }

  #operator(): undefined {
    this.#afterOperand = false;
    this.#lastName = "";
  }

  #name(name: string): string | undefined {
    const opens = name === "getline" && this.#take(FROM_FILE) === undefined;
    if (name === "system" || opens) return `awk may run or open something with ${name}`;
    if (name === "getline") return this.#operand();
    if (name === "print" || name === "printf") this.#printDepth = this.#parens.length;
    this.#afterOperand = !BEFORE_REGEX.test(name);
    this.#lastName = name;
    return undefined;
  }

  #slash(): string | undefined {
    if (this.#lastName === "length" || this.#afterStatementParen)
      return "the awk program is ambiguous at a slash";
    if (this.#afterOperand) {
      this.#at++;
      return this.#operator();
    }
    const regex = this.#take(/\/(?:[^/\\\n]|\\[^\n])*\//uy);
    if (regex === undefined) return "the awk program has an open regular expression";
    const plain = regex.replaceAll(/\\./gu, "");
    // Behind the last one nothing is closed, so nothing has to be looked for.
    const last = plain.lastIndexOf("]") + 1;
    if (`${plain.slice(0, last).replaceAll(BRACKET, "")}${plain.slice(last)}`.includes("["))
      return "the awk program is ambiguous at a bracket";
    return this.#operand();
  }

  #pipe(): string | undefined {
    const command = /"(.*)"/u.exec(this.#take(INTO_COMMAND) ?? "")?.[1];
    if (command === undefined) return "awk pipes to a program that is not known";
    this.#run(command);
    return this.#operand();
  }

  #punctuation(char: string): string | undefined {
    this.#afterStatementParen = false;
    if (this.#take(/\|\|/uy) !== undefined || this.#take(/&&/uy) !== undefined) return this.#operator();
    const prints = this.#printDepth !== undefined && this.#parens.length <= this.#printDepth;
    if (char === "|") return prints ? this.#pipe() : "awk pipes to or from a program";
    if (char === "@") return "awk loads or calls what a name holds";
    if (char === ">" && prints)
      return this.#take(OWN_OUTPUT) === undefined ? "awk writes to a file" : this.#operand();
    if (this.#take(/\+\+|--/uy) !== undefined)
      return this.#program.charAt(this.#at) === "/" ? "the awk program is ambiguous at a slash" : undefined;
    this.#at++;
    if (char === "(" || char === "[") {
      this.#parens.push({ statement: char === "(" && /^(?:if|while|for)$/u.test(this.#lastName) });
      return this.#operator();
    }
    if (char === ")" || char === "]") {
      this.#afterStatementParen = this.#parens.pop()?.statement === true;
      return this.#operand();
    }
    // A line that ends in an operator goes on in the next one, its redirection too.
    const goesOn = !this.#afterOperand || this.#parens.length > (this.#printDepth ?? 0);
    if (char === "\n" && goesOn) return undefined;
    if (/[;\n{}]/u.test(char)) this.#printDepth = undefined;
    return /[-\s!%&*+,:;<=>?^{}~$]/u.test(char)
      ? this.#operator()
      : `the awk program has a ${JSON.stringify(char)} that is not understood`;
  }
}

/**
 * Why an awk program may write, run or load something, undefined when it only computes and prints.
 * What could be read in two ways is refused.
 * @param run is told of every command that the program pipes its output into
 */
export function awkScriptProblem(program: string, run: (command: string) => void): string | undefined {
  return new ProgramReader(program, run).read();
}
