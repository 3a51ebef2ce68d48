import type { ComponentChildren } from "preact";

export interface Column<T> {
  id: string;
  /** title is empty for a column of buttons, which say what they do. */
  title: string;
  cell: (row: T) => ComponentChildren;
  /** compare makes the column sortable. */
  compare?: (a: T, b: T) => number;
  /** wide columns are left out on phones. */
  wide?: boolean;
}

export interface Sorting {
  column: string;
  down: boolean;
}

interface TableProps<T> {
  label: string;
  columns: Column<T>[];
  rows: T[];
  rowKey: (row: T) => string | number;
  sorting?: Sorting | undefined;
  onSort?: (sorting: Sorting) => void;
}

/** Table shows rows in columns, sorted by a click on a title. */
export function Table<T>(props: TableProps<T>) {
  const { label, columns, rows, rowKey, sorting } = props;
  const compare = columns.find((c) => c.id === sorting?.column)?.compare;
  const sorted = compare ? rows.toSorted((a, b) => compare(a, b) * (sorting?.down ? -1 : 1)) : rows;
  return (
    <table class="table" aria-label={label}>
      <thead>
        <tr>{columns.map((column) => <Title key={column.id} column={column} {...props} />)}</tr>
      </thead>
      <tbody>
        {sorted.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map((c) => <td key={c.id} class={c.wide ? "wide" : undefined}>{c.cell(row)}</td>)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Title<T>({ column, sorting, onSort }: TableProps<T> & { column: Column<T> }) {
  if (!column.title) return <td class={column.wide ? "wide" : undefined} />;
  const sorts = sorting?.column === column.id;
  const order = sorts ? (sorting.down ? "descending" : "ascending") : undefined;
  return (
    <th scope="col" aria-sort={order} class={column.wide ? "wide" : undefined}>
      {column.compare && onSort
        ? (
          <button type="button" class="plain"
            onClick={() => { onSort({ column: column.id, down: sorts && !sorting.down }); }}>
            {column.title}{order && <span aria-hidden="true">{sorting?.down ? " ↓" : " ↑"}</span>}
          </button>
        )
        : column.title}
    </th>
  );
}
