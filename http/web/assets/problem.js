import { element } from './dom.js';
import { Lost } from './session.js';

// problem shows an error in the element #problem.
export function problem(error) {
  const at = document.getElementById('problem');
  const problems = (error.errors || []).map((p) => element('li', null, `${p.field}: ${p.message}`));
  at.replaceChildren(
    element('p', null, [error.title, error.detail].filter(Boolean).join(': ')),
    error.after ? element('p', null, `Try again in ${error.after} s.`) : '',
    problems.length > 0 ? element('ul', null, ...problems) : '',
    error.status === 401 ? element('p', null, element('a', { href: 'sign-in' }, 'Sign in')) : '',
  );
  at.hidden = false;
  at.scrollIntoView({ block: 'nearest' });
}

// attempt runs what() and shows its error. It returns whether it succeeded.
export async function attempt(what) {
  document.getElementById('problem').hidden = true;
  try {
    await what();
    return true;
  } catch (err) {
    problem(err.error || { detail: trouble(err) });
    return false;
  }
}

// trouble returns the message of an error. It logs an error of a script, because that is a fault of the page.
export function trouble(err) {
  if (err.error) return err.message;
  if (err instanceof Lost) return 'The server cannot be reached, or the connection was lost. Try again.';
  console.error(err);
  return fault(err);
}

function fault(err) {
  return `This page has a fault (${err.message}). Reload it; if that does not help, report the fault.`;
}

// Errors that nothing catches are shown, too. The browser logs them.
window.addEventListener('error', (e) => e.error && problem({ detail: fault(e.error) }));
window.addEventListener('unhandledrejection', ({ reason }) => problem({ detail: fault(reason) }));
