/** What the text of a command tells of its exit code. */
export interface CommandProof {
  /** Why its success proves nothing, in words for a person; null where it may fail by what it looks at. */
  readonly hollow: string | null;
  /** What it sets by which other things may run than the text says; its success proves nothing where it is no check. */
  readonly steered: string | null;
  /** False where it fails whatever there is, as `false` does. */
  readonly canPass: boolean;
  /** What it comes down to in this project: the lines of scripts and the scripts themselves, in their order. */
  readonly recipe: readonly string[];
}
