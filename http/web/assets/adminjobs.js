import { button, element, when } from './dom.js';
import { pager } from './pager.js';
import { attempt } from './problem.js';
import { ask } from './session.js';

const $ = (id) => document.getElementById(id);

// showJobs lists the jobs in the chosen state.
export async function showJobs() {
  const state = $('job-state').value;
  await pager(`v2/admin/jobs${state ? `?state=${state}` : ''}`, $('jobs'), $('more-jobs'), row, 'None.').show();
}

function row(job) {
  const open = job.state === 'queued' || job.state === 'running';
  const failed = job.state === 'failed' || job.state === 'canceled';
  const name = `${job.kind} ${job.id}`;
  const about = [job.state, `attempt ${job.attempt} of ${job.attempts}`, `created ${when(job.created_at)}`,
    job.ended_at ? `ended ${when(job.ended_at)}` : ''].filter(Boolean).join(', ');
  const change = (says, method, path, done) => button(says, name, () => attempt(async () => {
    await ask(method, path);
    await showJobs();
    $('state').textContent = done;
    $('state').focus();
  }));
  return element('li', null, element('div', null, element('bdi', null, [name, job.about].filter(Boolean).join(': ')),
    element('p', { class: 'about' }, about),
    job.error ? element('p', { class: 'about bad' }, element('bdi', null, job.error.message)) : ''),
  open ? change('Cancel', 'DELETE', `v2/admin/jobs/${job.id}`, `Job ${job.id} is canceled.`) : '',
  failed ? change('Try again', 'POST', `v2/admin/jobs/${job.id}/retry`, `Job ${job.id} is queued again.`) : '');
}

$('job-state').addEventListener('change', () => attempt(showJobs));
