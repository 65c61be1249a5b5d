/** A request with its answer: who sent it, and when it came and was answered in the recording. */
export interface Sent {
  readonly session: string;
  /** The session that began this one; empty for none. */
  readonly parent: string;
  /** Whether its newest message is a prompt, and no result of a tool: a loop of the session begins here. */
  readonly begins: boolean;
  readonly sentAt: number;
  readonly answeredAt: number;
}

/** What a request waited for, by index. */
export interface Waited {
  /** Requests that had to be answered whole. */
  readonly answers: readonly number[];
  /** Requests that the model had to begin to answer. */
  readonly begun: readonly number[];
}

/**
 * What each request waited for: the session's request before it, and the loops of its own children that had
 * ended. The first of a child's loop waited for the answer of the parent that asked for it, and for the loops beside it
 * that had ended when it began: the one who hands out wave after wave without a turn of the parent's lets it wait for those;
 * and for the beginning of the first answer to those that had got one by then: the one who lets one child go ahead, so that the
 * others find their beginning cached, lets them wait for that.
 * @param sent in the order in which they came
 */
export function dependenciesOf(sent: readonly Sent[]): Waited[] {
  const all = sent.map((request, index) => ({ ...request, index }));
  const lasts = all.filter(({ session, index }) => {
    const next = all.find((other) => other.index > index && other.session === session);
    return next === undefined || next.begins;
  });
  return all.map(({ session, parent, begins, sentAt, index }) => {
    const earlier = all.slice(0, index);
    const ended = lasts.filter((last) => last.index < index && last.answeredAt <= sentAt);
    const own = earlier.filter((other) => other.session === session).slice(-1);
    const children = ended.filter((last) => last.parent === session);
    const asked = earlier.filter((other) => other.session === parent && other.answeredAt <= sentAt).slice(-1);
    const beside = ended.filter((last) => last.parent === parent && last.session !== session);
    const isHandedOut = begins && parent !== "";
    const ahead = earlier.filter(
      (other) =>
        other.begins && other.parent === parent && other.session !== session && other.answeredAt <= sentAt,
    );
    const indexes = (requests: readonly { index: number }[]): number[] => requests.map((each) => each.index);
    return {
      answers: indexes([...own, ...children, ...(isHandedOut ? [...asked, ...beside] : [])]),
      begun: isHandedOut ? indexes(ahead) : [],
    };
  });
}
