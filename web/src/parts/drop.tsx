import { useEffect, useRef, useState } from "preact/hooks";

interface DropProps {
  title: string;
  text?: string;
  /** onFiles gets files, of which there is at least one. */
  onFiles: (files: File[]) => void;
}

/** Drop lets the reader choose files, or drop files and folders anywhere on the page. */
export function Drop({ title, text, onFiles }: DropProps) {
  const [over, setOver] = useState(false);
  const take = useRef<(files: File[]) => void>(() => undefined);
  take.current = (files) => { if (files.length > 0) onFiles(files); };
  useEffect(() => {
    const drag = (e: DragEvent) => {
      e.preventDefault();
      setOver(e.type === "dragover");
      if (e.type === "drop" && e.dataTransfer) void filesOf(e.dataTransfer).then((files) => { take.current(files); });
    };
    const events = ["dragover", "dragleave", "drop"] as const;
    for (const name of events) window.addEventListener(name, drag);
    return () => { for (const name of events) window.removeEventListener(name, drag); };
  }, []);
  return (
    <label class={over ? "drop over" : "drop"}>
      <strong>{title}</strong>
      {text && <span class="soft">{text}</span>}
      <input type="file" multiple aria-label={title} onChange={(e) => {
        take.current([...e.currentTarget.files ?? []]);
        e.currentTarget.value = "";
      }} />
    </label>
  );
}

/** filesOf returns dropped files, and those in dropped folders. */
async function filesOf(dropped: DataTransfer): Promise<File[]> {
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.every((entry) => entry.isFile)) return [...dropped.files];
  return (await Promise.all(entries.map(inside))).flat();
}

const most = 100; // files of an import. A folder gives up to one more, which the server then refuses.

async function inside(entry: FileSystemEntry): Promise<File[]> {
  if (isFile(entry)) return [await new Promise<File>((done, failed) => { entry.file(done, failed); })];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const out: File[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, failed) => { reader.readEntries(done, failed); });
    if (some.length === 0 || out.length > most) return out.slice(0, most + 1);
    out.push(...(await Promise.all(some.filter((one) => !one.name.startsWith(".")).map(inside))).flat());
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}
