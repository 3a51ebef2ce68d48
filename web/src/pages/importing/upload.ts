import { base, type Schemas } from "../../api/client";
import { Lost, Refused, refusal } from "../../api/problem";
import { noteSignedOut } from "../../state/session";

export type Preview = Schemas["ImportPreview"]["data"];
export type Import = Schemas["Import"];

/** Progress gets the sent part of the files, from 0 to 1. */
type Progress = (part: number) => void;

/** preview uploads files and returns what they contain. Nothing is stored. */
export function preview(files: File[], map: string, signal: AbortSignal, sent: Progress): Promise<Preview> {
  return send<Preview>(files, map, true, signal, sent);
}

/** store uploads files to be stored, and returns the import that has begun. */
export function store(files: File[], map: string, signal: AbortSignal, sent: Progress): Promise<Import> {
  return send<Import>(files, map, false, signal, sent);
}

/** send uses XMLHttpRequest, because fetch does not report how much was sent. */
function send<T>(files: File[], map: string, dryRun: boolean, signal: AbortSignal, sent: Progress): Promise<T> {
  const form = new FormData();
  form.append("dry_run", String(dryRun));
  if (map) form.append("map", map);
  for (const file of files) form.append("file", file, file.name);
  const request = new XMLHttpRequest();
  signal.addEventListener("abort", () => { request.abort(); });
  return new Promise<T>((done, failed) => {
    request.open("POST", `${base}/v2/imports`);
    request.upload.addEventListener("progress", (e) => { if (e.lengthComputable) sent(e.loaded / e.total); });
    request.addEventListener("load", () => {
      const body = parsed(request.responseText);
      if (request.status < 300 && hasData(body)) done(body.data as T); // openapi.yaml promises the shape
      else failed(refused(request, body));
    });
    request.addEventListener("error", () => { failed(new Lost("no answer")); });
    request.addEventListener("abort", () => { failed(new DOMException("canceled", "AbortError")); });
    request.send(form);
  });
}

function refused(request: XMLHttpRequest, body: unknown): Refused {
  if (request.status === 401) noteSignedOut();
  const after = request.getResponseHeader("Retry-After");
  return refusal(new Response(null, { status: request.status, headers: after ? { "Retry-After": after } : {} }), body);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function hasData(body: unknown): body is { data: unknown } {
  return typeof body === "object" && body !== null && "data" in body;
}
