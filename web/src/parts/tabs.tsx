export interface Tab {
  id: string;
  text: string;
  href: string;
  /** count is shown beside the text. */
  count?: string | undefined;
}

/** Tabs are links to the parts of a page. */
export function Tabs({ label, tabs, current }: { label: string; tabs: Tab[]; current: string }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ id, text, href, count }) => (
        <a key={id} href={href} aria-current={id === current ? "page" : undefined}>
          {text}{count && <span class="soft"> {count}</span>}
        </a>
      ))}
    </nav>
  );
}
