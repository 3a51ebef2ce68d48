import { number } from "../text/format";

export interface Bar {
  value: string;
  count: number;
}

interface BarsProps {
  title: string;
  bars: Bar[];
  /** onToggle makes the bars checkboxes. */
  onToggle?: (value: string) => void;
  /** chosen are the values that are checked. */
  chosen?: ReadonlySet<string>;
  /** to is where a bar leads that is no checkbox. */
  to?: (value: string) => string;
}

/** Bars shows counts of values as bars: checkboxes, or links. */
export function Bars({ title, bars, chosen, onToggle, to }: BarsProps) {
  const most = Math.max(1, ...bars.map((b) => b.count));
  return (
    <fieldset class="bars">
      <legend>{title}</legend>
      {bars.map(({ value, count }) => {
        const parts = (
          <>
            <bdi title={value}>{value}</bdi>
            <span class="bar-track" aria-hidden="true"><span style={{ width: `${(100 * count) / most}%` }} /></span>
            <span class="soft">{number(count)}</span>
          </>
        );
        return onToggle
          ? (
            <label key={value}>
              <input type="checkbox" checked={chosen?.has(value) ?? false} onChange={() => { onToggle(value); }} />
              {parts}
            </label>
          )
          : <a key={value} href={to?.(value)}>{parts}</a>;
      })}
    </fieldset>
  );
}
