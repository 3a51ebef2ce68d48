import { marked } from "./match";

/** Marked shows a text with the words that match marked. */
export function Marked({ text, words }: { text: string; words: ReadonlySet<string> }) {
  return (
    <bdi>{marked(text, words).map((run, i) => run.marked ? <mark key={i}>{run.text}</mark> : run.text)}</bdi>
  );
}
