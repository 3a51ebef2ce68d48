// Refused is an answer that is an error, as the server describes it.
export class Refused extends Error {
  constructor(error) {
    super(error.detail);
    this.error = error;
  }
}

// refusal makes one of an answer of fetch.
export async function refusal(answer) {
  const said = await answer.json().catch(() => null);
  const error = (said && said.error) || { detail: `The server answered ${answer.status}.` };
  return new Refused({ ...error, after: answer.headers.get('Retry-After') });
}

// bearer is the header Authorization for the token that was typed, or else the published one.
export function bearer(typed, published) {
  const token = typed.trim() || published;
  if (!token) throw new Refused({ detail: 'A bearer token is needed in the field above; kith token prints one.', status: 401 });
  if (/[^!-~]/.test(token)) throw new Refused({ detail: 'The bearer token has characters that no token has.', status: 401 });
  return `Bearer ${token}`;
}

// storage is what this tab keeps; nothing where the browser lets pages keep nothing.
export function storage() {
  try {
    return window.sessionStorage;
  } catch {
    return { getItem: () => '', setItem: () => {} };
  }
}
