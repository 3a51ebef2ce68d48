import { reached } from "./client";

/** Event is one Server-Sent Event. */
export interface StreamedEvent {
  event: string;
  id: string;
  data: string;
}

/**
 * events reads Server-Sent Events from the body of a fetch, because EventSource cannot POST. It yields those that
 * arrive together as one array. An event without its blank line is dropped.
 */
export async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent[]> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = new Parser();
  try {
    for (;;) {
      const { value, done } = await reached(reader.read());
      if (done) return;
      const whole = parser.take(decoder.decode(value, { stream: true }));
      if (whole.length > 0) yield whole;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** Parser makes events of text that comes in pieces. */
export class Parser {
  private rest = "";
  private event = { event: "", id: "", data: [] as string[] };

  /** take returns the events that end in this piece. */
  take(piece: string): StreamedEvent[] {
    this.rest += piece;
    const held = this.rest.endsWith("\r") ? "\r" : ""; // perhaps half of a line break
    const lines = this.rest.slice(0, this.rest.length - held.length).split(/\r\n|\r|\n/);
    this.rest = (lines.pop() ?? "") + held;
    return lines.flatMap((line) => this.line(line));
  }

  private line(line: string): StreamedEvent[] {
    if (line !== "") {
      this.field(line);
      return [];
    }
    const { event, id, data } = this.event;
    this.event = { event: "", id: "", data: [] };
    return data.length > 0 ? [{ event: event || "message", id, data: data.join("\n") }] : [];
  }

  private field(line: string): void {
    const colon = line.indexOf(":");
    if (colon === 0) return; // a comment that keeps the connection alive
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "event") this.event.event = value;
    if (name === "id") this.event.id = value;
    if (name === "data") this.event.data.push(value);
  }
}
